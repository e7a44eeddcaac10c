/** Reads the log in PostgreSQL: the events of streams, and those that match a query. */
import { actorOfText, actorText } from '../../kernel/actor.ts'
import type { Engine, LogRange } from '../engine.ts'
import type { Stamp } from '../history.ts'
import type { AnyKind } from '../kind.ts'
import { MAX_TYPES, mayBeOf, TYPES_IN_LOG } from '../lists/event-types.ts'
import { groupStreams, ROWS_AT_ONCE } from '../streams.ts'
import { isStorableText } from '../text.ts'
import type { EventQuery, StoredEvent } from '../types.ts'
import type { Connection } from './connection.ts'
import type { Pool } from './pool.ts'
import { HISTORY } from './read.ts'
import type { DocumentKinds } from './versions/document-kinds.ts'

/** Columns of `events` in SQL; `storedEvent` reads them. */
export const eventColumns = 'sequence, kind, id, revision, type, data, actor, owner, at'

export type EventColumns = Omit<StoredEvent, 'data' | 'actor'> & { readonly data: string; readonly actor: string }

export function storedEvent(row: EventColumns): StoredEvent {
  return { ...row, data: JSON.parse(row.data), actor: actorOfText(row.actor) }
}

let cursors = 0

/** The rows of a statement in portions, read through a cursor of the connection's transaction. */
export async function* portions<Row>({ client }: Connection, sql: string): AsyncGenerator<readonly Row[]> {
  const cursor = `portions_${++cursors}`
  await client.query(`declare ${cursor} no scroll cursor for ${sql}`)
  for (;;) {
    const { rows } = await client.query(`fetch ${ROWS_AT_ONCE} from ${cursor}`)
    if (rows.length > 0) yield rows as unknown as readonly Row[]
    if (rows.length < ROWS_AT_ONCE) break
  }
  await client.query(`close ${cursor}`)
}

/** All streams of a kind, by id; inside a transaction of the caller. */
export async function* streamsOf(connection: Connection, { name }: AnyKind): AsyncGenerator<readonly StoredEvent[]> {
  // The names of kinds are constants of the code.
  const sql = `select ${eventColumns} from events where instance = 1 and kind = '${name}' order by id, revision`
  let last: StoredEvent[] = []
  for await (const rows of portions<EventColumns>(connection, sql)) {
    const streams = [...groupStreams([...last, ...rows.map(storedEvent)])]
    // It may continue in the next portion.
    last = streams.pop() ?? []
    yield* streams
  }
  if (last.length > 0) yield last
}

/** All events of a stream, in order. */
async function readStream({ client }: Connection, kind: string, id: string): Promise<readonly StoredEvent[]> {
  const text = `select ${eventColumns} from events where instance = 1 and id = $1 and kind = $2 order by revision`
  return (await client.query<EventColumns>({ name: 'stream', text, values: [id, kind] })).rows.map(storedEvent)
}

async function readHead({ client }: Connection): Promise<Stamp> {
  const text = `select sequence, ${HISTORY} as history from instances where id = 1`
  return (await client.query<Stamp>({ name: 'head', text })).rows[0] ?? { sequence: 0, history: '' }
}

type Value = string | number | readonly string[]

/** Collects conditions on events. */
class Conditions {
  readonly values: Value[] = []
  readonly #texts = ['instance = 1']

  /** Adds a condition, unless there is nothing to compare with. */
  add(condition: string, value: Value | undefined): this {
    if (value === undefined) return this
    // No event contains a text that cannot be stored, and PostgreSQL would not accept it.
    const canBeStored = typeof value !== 'string' || isStorableText(value)
    this.#texts.push(canBeStored ? condition.replace('?', this.parameter(value)) : 'false')
    return this
  }

  /** The name of a further parameter. */
  parameter(value: Value): string {
    return `$${this.values.push(typeof value === 'object' ? value.filter(isStorableText) : value)}`
  }

  get text(): string {
    return this.#texts.join(' and ')
  }
}

/** Up to this many events of a time are sorted. PostgreSQL would rather read the log until it has found a page of them. */
const FEW_EVENTS = 5_000

async function isFew({ client }: Connection, time: Conditions): Promise<boolean> {
  const { rows } = await client.query(`select from events where ${time.text} offset ${FEW_EVENTS} limit 1`, time.values)
  return rows.length === 0
}

/**
 * The part of the log with all events of a time. Times follow the order of the log, but not strictly: nodes have different
 * clocks, and clocks are set back.
 */
async function rangeOfTime({ client }: Connection, time: Conditions): Promise<LogRange> {
  // Not the bare column: PostgreSQL would look for the first of them in the order of the log.
  const text = `select min(sequence + 0) as first, max(sequence + 0) as last from events where ${time.text}`
  const { rows } = await client.query<{ readonly first: number | null; readonly last: number | null }>(
    text,
    time.values,
  )
  return { since: (rows[0]?.first ?? 1) - 1, until: rows[0]?.last ?? 0 }
}

/** Events of the log that match a query. */
async function readEvents(connection: Connection, query: EventQuery, kinds: readonly AnyKind[]) {
  const { kinds: names, id, actor, owner, since, until, limit } = query
  const types = query.types ?? (names && (await typesOf(connection, names, kinds)))
  const time = new Conditions().add('at >= ?', since).add('at < ?', until)
  const isOfTime = since !== undefined || until !== undefined
  const isSorted = isOfTime && (await isFew(connection, time))
  const range = isOfTime && !isSorted ? await rangeOfTime(connection, time) : undefined
  const where = new Conditions()
    .add('kind = any(?::text[])', names)
    .add('id = ?', id)
    .add('actor = ?', actor && actorText(actor))
    .add('owner = ?', owner)
    .add('at >= ?', since)
    .add('at < ?', until)
    .add(query.descending ? 'sequence < ?' : 'sequence > ?', query.from)
    .add('sequence > ?', range?.since)
    .add('sequence <= ?', range?.until)
  const order = `order by sequence${isSorted ? ' + 0' : ''} ${query.descending ? 'desc' : 'asc'} limit ${limit}`
  const isByType =
    types !== undefined && types.length <= MAX_TYPES && [id, actor, owner].every((one) => one === undefined)
  const text = isByType
    ? `select e.* from unnest(${where.parameter([...new Set(types)])}::text[]) as wanted(type) cross join lateral (
        select ${eventColumns} from events where ${where.text} and type = wanted.type ${order}) e ${order}`
    : `select ${eventColumns} from events where ${where.add('type = any(?::text[])', types).text} ${order}`
  return (await connection.client.query<EventColumns>(text, where.values)).rows.map(storedEvent)
}

/** The types of events that kinds may have; an index finds events by type, but not by kind. */
async function typesOf({ client }: Connection, names: readonly string[], known: readonly AnyKind[]) {
  const { rows } = await client.query<{ type: string }>({ name: 'types-in-log', text: TYPES_IN_LOG })
  return rows.map(({ type }) => type).filter(mayBeOf(names, known))
}

/** The part of an engine that reads the log. */
export function logMethods(pool: Pool, documents: DocumentKinds): Pick<Engine, 'head' | 'events' | 'stream'> {
  const kinds = () => documents.sets.map(({ kind }) => kind)
  return {
    head: () => pool.read('head', readHead),
    events: (query) => pool.read('events', (connection) => readEvents(connection, query, kinds())),
    stream: (kind, id) => pool.read('stream', (connection) => readStream(connection, kind, id)),
  }
}
