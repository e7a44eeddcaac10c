/**
 * Finds events of the log in SQLite. As for documents (0049), the index is tried out and named in the statement. A
 * statement that may read much of the log is left to the scan thread.
 */

import type { SQLInputValue } from 'node:sqlite'
import { actorText } from '../../kernel/actor.ts'
import type { Engine, LogRange } from '../engine.ts'
import type { AnyKind } from '../kind.ts'
import { MAX_TYPES, mayBeOf, TYPES_IN_LOG } from '../lists/event-types.ts'
import type { EventQuery } from '../types.ts'
import { type EventValues, eventColumns, storedEvent } from './log.ts'
import type { SqliteReader } from './read.ts'
import type { ScanThread } from './scan.ts'
import type { All } from './search.ts'

/** This many events are read and sorted in a few milliseconds. */
const FEW = 2_000

/** More events are not merged on the main thread. */
const MAX_MERGED = 5_000

const BY_TIME = 'events_by_time'

/** A condition, and the index that finds the events that meet it. */
interface Way {
  readonly index: string
  readonly where: string
  readonly values: readonly SQLInputValue[]
  /** Whether the index has these events in the order of the log. */
  readonly isInOrder: boolean
}

/** A statement that reads events with the columns of `eventColumns`. */
export interface EventStatement {
  readonly sql: string
  readonly values: readonly SQLInputValue[]
}

/** The events, or a statement that finds them but reads too much for the main thread. */
export type FoundEvents = { readonly rows: readonly unknown[][] } | { readonly slow: EventStatement }

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ')
}

/** The conditions of a query that an index can answer. */
function waysOf({ id, types, actor, owner, since, until }: EventQuery): Way[] {
  const ways: Way[] = []
  const add = (index: string, where: string, values: readonly SQLInputValue[], isInOrder: boolean) => {
    ways.push({ index, where, values, isInOrder })
  }
  if (id !== undefined) add('events_by_stream', 'id = ?', [id], false)
  if (types !== undefined) add('events_by_type', `type in (${marks(types)})`, types, types.length === 1)
  if (actor !== undefined) add('events_by_actor', 'actor = ?', [actorText(actor)], true)
  if (owner !== undefined) add('events_by_owner', 'owner = ?', [owner], true)
  const bounds = [...(since === undefined ? [] : ['at >= ?']), ...(until === undefined ? [] : ['at < ?'])]
  const times = [since, until].filter((time) => time !== undefined)
  if (bounds.length > 0) add(BY_TIME, bounds.join(' and '), times, false)
  return ways
}

function source(index: string | undefined): string {
  return index === undefined ? 'events' : `events indexed by "${index}"`
}

function findsAtMost(all: All, { index, where, values }: Way, most: number): boolean {
  const sql = `select 1 from ${source(index)} where instance = 1 and ${where} limit 1 offset ${most}`
  return all(sql, ...values).length === 0
}

/** Finds the events that match a query, on the main thread or the scan thread. */
export function eventReader(
  reader: () => SqliteReader,
  scans: ScanThread,
  isMissing: (index: string) => boolean,
  kinds: () => readonly AnyKind[],
): Engine['events'] {
  return async (query) => {
    const find = (ofTime?: LogRange) =>
      reader().read((all) => findEvents(all, query, { isMissing, kinds: kinds(), ofTime })).value
    let found = find()
    const time = rangeOfTime(query)
    if ('slow' in found && time !== undefined && !isMissing(BY_TIME)) {
      const [[first, last] = []] = await scans.all(time.sql, ...time.values)
      found = find({ since: Number(first) - 1, until: Number(last) })
    }
    const rows = 'rows' in found ? found.rows : await scans.all(found.slow.sql, ...found.slow.values)
    return (rows as EventValues[]).map(storedEvent)
  }
}

/**
 * Selects the first and the last sequence of the events of a time; undefined when the query has none. Times follow the order
 * of the log, but not strictly: nodes have different clocks, and clocks are set back.
 */
export function rangeOfTime(query: EventQuery): EventStatement | undefined {
  const way = waysOf(query).find(({ index }) => index === BY_TIME)
  // A plus sign: otherwise SQLite looks for the first of them in the order of the log.
  const columns = 'coalesce(min(+sequence), 1), coalesce(max(+sequence), 0)'
  return (
    way && { sql: `select ${columns} from ${source(BY_TIME)} where instance = 1 and ${way.where}`, values: way.values }
  )
}

/** What is known of the file. */
export interface EventFile {
  /** Whether an index is still to be built. */
  isMissing(index: string): boolean
  readonly kinds: readonly AnyKind[]
  /** Where in the log all events of the time of the query are. */
  readonly ofTime?: LogRange | undefined
}

/** Finds the events that match a query. */
export function findEvents(
  all: All,
  asked: EventQuery,
  { isMissing, kinds: known, ofTime }: EventFile,
  few = FEW,
): FoundEvents {
  const { kinds } = asked
  const typesOfKinds = kinds === undefined || asked.types !== undefined ? undefined : typesOf(all, kinds, known)
  const query = typesOfKinds === undefined ? asked : { ...asked, types: typesOfKinds }
  const range = rangeOf(query, ofTime ?? { since: 0, until: lastSequence(all) })
  const run = ({ sql, values }: EventStatement) => ({ rows: all(sql, ...values) })
  const first = run(select(query, beginning(query, range, few)))
  if (first.rows.length === query.limit || range.until - range.since <= few) return first

  const ways = waysOf(query).filter(({ index }) => ofTime === undefined || index !== BY_TIME)
  const usable = ways.filter(({ index }) => !isMissing(index))
  const best = usable.find((way) => findsAtMost(all, way, few))
  if (best !== undefined) return run(select(query, range, best.index))

  const [only, ...others] = usable
  const shorter = others.length === 0 ? undefined : usable.find((way) => findsAtMost(all, way, 10 * few))
  if (shorter !== undefined) return { slow: select(query, range, shorter.index) }
  const meetsKinds = kinds === undefined || typesOfKinds !== undefined
  const meetsAll = ways.length === usable.length && others.length === 0 && meetsKinds && ofTime === undefined
  const unlessSlow = (statement: EventStatement) => (meetsAll ? run(statement) : { slow: statement })
  if (only === undefined) return unlessSlow(select(query, range))
  // The range narrows every index that is in the order of the log.
  if (only.isInOrder) return unlessSlow(select(query, range, only.index))
  if (others.length === 0 && query.types !== undefined && query.types.length <= MAX_TYPES) {
    const merged = merge(query, range, query.types)
    return query.types.length * query.limit <= MAX_MERGED ? unlessSlow(merged) : { slow: merged }
  }
  return { slow: select(query, range, others.find(({ isInOrder }) => isInOrder)?.index) }
}

/** The types of events that kinds may have; an index finds events by type, but not by kind. */
function typesOf(all: All, kinds: readonly string[], known: readonly AnyKind[]): readonly string[] {
  return all(TYPES_IN_LOG)
    .map(([type]) => String(type))
    .filter(mayBeOf(kinds, known))
}

function lastSequence(all: All): number {
  return Number(all('select sequence from instances where id = 1')[0]?.[0])
}

/** The range behind the beginning of the page. */
function rangeOf({ descending, from }: EventQuery, { since, until }: LogRange): LogRange {
  if (from === undefined) return { since, until }
  return descending === true ? { since, until: Math.min(until, from - 1) } : { since: Math.max(since, from), until }
}

/** So much of a range as comes first in the order of the query. */
function beginning({ descending }: EventQuery, { since, until }: LogRange, length: number): LogRange {
  if (descending === true) return { since: Math.max(since, until - length), until }
  return { since, until: Math.min(until, since + length) }
}

/** Selects by one index, or from the log itself, which is sorted by sequence. */
function select(query: EventQuery, { since, until }: LogRange, index?: string): EventStatement {
  const { kinds } = query
  const conditions = ['instance = 1', 'sequence > ?', 'sequence <= ?']
  const ways = waysOf(query)
  // A plus sign keeps SQLite from choosing an index of the column.
  for (const { where } of ways)
    conditions.push(index === undefined ? where.replace(/\b(?=[a-z]+ (?:[=<>]|in))/g, '+') : where)
  if (kinds !== undefined) conditions.push(`+kind in (${marks(kinds)})`)
  return {
    sql: `select ${eventColumns} from ${source(index)} where ${conditions.join(' and ')} ${orderOf(query)}`,
    values: [since, until, ...ways.flatMap(({ values }) => values), ...(kinds ?? []), query.limit],
  }
}

function orderOf({ descending }: EventQuery): string {
  return `order by sequence ${descending === true ? 'desc' : 'asc'} limit +?`
}

/** The first events of each type, each in the order of the log, are merged. */
function merge(query: EventQuery, range: LogRange, types: readonly string[]): EventStatement {
  const parts = [...new Set(types)].map((type) => select({ ...query, types: [type] }, range, 'events_by_type'))
  return {
    sql: `${parts.map(({ sql }) => `select * from (${sql})`).join(' union all ')} ${orderOf(query)}`,
    values: [...parts.flatMap(({ values }) => values), query.limit],
  }
}
