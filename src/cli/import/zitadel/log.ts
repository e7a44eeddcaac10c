/**
 * Reads the database of a ZITADEL, running or stopped, without changing it. One read sees one snapshot. Events come
 * aggregate by aggregate, in the order of the primary key, so that only one aggregate is in memory at a time.
 */
import pg from 'pg'
import { instant } from '../../../kernel/instant.ts'
import { describeFailure } from '../../../store/postgres/describe-failure.ts'
import { CannotImport } from '../import.ts'
import type { PeerEvent } from './event.ts'
import type { SealedKey } from './keys.ts'

/** Which events are read. */
export interface Selection {
  readonly aggregateType: string
  readonly eventTypes: readonly string[]
  /** Only these aggregates. */
  readonly ids?: readonly string[]
  /** Only which events there are, without their members. */
  readonly isBare?: boolean
}

interface Row {
  readonly id: string
  readonly type: string
  readonly sequence: string
  readonly at: string
  readonly owner: string
  readonly payload: unknown
}

const PAGE = 2_000
/** How many aggregates are named in one query. */
const IDS = 500
/** Events are visible when their transaction ends, later ones maybe sooner: a mark is this much before the newest. */
const MARGIN_SECONDS = 30

/** Other connections of this database that have written something and not ended their transaction. */
const WRITERS = 'datname = current_database() and pid <> pg_backend_pid() and backend_xid is not null'

/** The types of events, by the type of their aggregates. */
export type EventTypes = ReadonlyMap<string, readonly string[]>

const TABLES = ['eventstore.events2', 'eventstore.unique_constraints', 'system.encryption_keys', 'system.assets']

export interface PeerInstance {
  readonly id: string
  readonly name: string
  readonly domains: readonly string[]
}

/** A picture or font in the database. */
export interface StoredFile {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

function payloadOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** One snapshot of the database. */
export class PeerLog {
  readonly #client: pg.Client
  #instanceId = ''
  #cursors = 0

  private constructor(client: pg.Client) {
    this.#client = client
  }

  /** Connects, and begins the snapshot. */
  static async open(url: string): Promise<PeerLog> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, application_name: 'signet' })
    // An error on an idle connection would otherwise end the process; the next query reports it.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('begin isolation level repeatable read read only')
      // The snapshot is kept while what was read is written elsewhere.
      await client.query('set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0')
      const log = new PeerLog(client)
      await log.#checkTables()
      return log
    } catch (error) {
      await client.end().catch(() => {})
      if (error instanceof CannotImport) throw error
      throw new CannotImport(`The database of ZITADEL cannot be read. ${describeFailure(url, error)}`)
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {})
  }

  get instanceId(): string {
    return this.#instanceId
  }

  async #checkTables(): Promise<void> {
    const missing = await this.#query<{ name: string }>(
      'select name from unnest($1::text[]) as name where to_regclass(name) is null',
      [TABLES],
    )
    if (missing.length === 0) return
    const names = missing.map(({ name }) => name).join(', ')
    throw new CannotImport(`This is not a database of ZITADEL 2.66 or newer: there is no ${names}.`)
  }

  async #query<Result extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Result[]> {
    const { rows } = await this.#client.query<Result>(sql, [...values])
    return rows
  }

  /** The instances that were not removed. */
  async instances(): Promise<readonly PeerInstance[]> {
    return this.#query<{ id: string; name: string; domains: string[] }>(
      `select a.instance_id as id,
        (select n.payload->>'name' from eventstore.events2 n where n.instance_id = a.instance_id
          and n.aggregate_type = 'instance' and n.event_type in ('instance.added', 'instance.changed')
          and n.payload ? 'name' order by n.sequence desc limit 1) as name,
        array(select distinct d.payload->>'domain' from eventstore.events2 d where d.instance_id = a.instance_id
          and d.aggregate_type = 'instance' and d.event_type = 'instance.domain.added'
          and not exists (select from eventstore.events2 r where r.instance_id = a.instance_id
            and r.aggregate_type = 'instance' and r.event_type = 'instance.domain.removed'
            and r.payload->>'domain' = d.payload->>'domain' and r.sequence > d.sequence)) as domains
      from eventstore.events2 a
      where a.aggregate_type = 'instance' and a.event_type = 'instance.added'
        and not exists (select from eventstore.events2 g where g.instance_id = a.instance_id
          and g.aggregate_type = 'instance' and g.event_type = 'instance.removed')
      order by a.position`,
    )
  }

  choose(instanceId: string): void {
    this.#instanceId = instanceId
  }

  encryptionKeys(): Promise<SealedKey[]> {
    return this.#query<{ id: string; key: string }>('select id, key from system.encryption_keys')
  }

  /** The events of all aggregates of a type, one aggregate after the other. */
  async *events({ ids, ...selection }: Selection): AsyncGenerator<PeerEvent> {
    if (ids === undefined) yield* this.#select(selection)
    else
      for (let start = 0; start < ids.length; start += IDS) {
        yield* this.#select({ ...selection, ids: ids.slice(start, start + IDS) })
      }
  }

  async *#select({ aggregateType, eventTypes, ids, isBare = false }: Selection): AsyncGenerator<PeerEvent> {
    const cursor = `events_${++this.#cursors}`
    await this.#client.query(
      `declare ${cursor} no scroll cursor for
        select aggregate_id as id, event_type as type, sequence::text as sequence, owner, ${isBare ? 'null' : 'payload'} as payload,
          floor(extract(epoch from created_at) * 1000)::text as at
        from eventstore.events2
        where instance_id = ${pg.escapeLiteral(this.#instanceId)}
          and aggregate_type = ${pg.escapeLiteral(aggregateType)}
          and event_type in (${eventTypes.map((type) => pg.escapeLiteral(type)).join(', ')})
          ${ids === undefined ? '' : `and aggregate_id in (${ids.map((id) => pg.escapeLiteral(id)).join(', ')})`}
        order by events2.aggregate_id, events2.sequence`,
    )
    try {
      for (;;) {
        const { rows } = await this.#client.query<Row>(`fetch ${PAGE} from ${cursor}`)
        for (const { id, type, sequence, at, owner, payload } of rows) {
          yield {
            aggregateType,
            aggregateId: id,
            type,
            sequence,
            at: instant(Number(at)),
            owner,
            payload: payloadOf(payload),
          }
        }
        if (rows.length < PAGE) return
      }
    } finally {
      await this.#client.query(`close ${cursor}`).catch(() => {})
    }
  }

  /** How many events of each type there are. */
  async countTypes(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#query<{ type: string; number: string }>(
      'select event_type as type, count(*) as number from eventstore.events2 where instance_id = $1 group by 1 order by 1',
      [this.#instanceId],
    )
    return new Map(rows.map(({ type, number }) => [type, Number(number)]))
  }

  /** The members that events of these types have, and how many events have each. */
  async countMembers(
    types: readonly string[],
  ): Promise<readonly { readonly type: string; readonly member: string; readonly number: number }[]> {
    const rows = await this.#query<{ type: string; member: string; number: string }>(
      `select event_type as type, member, count(*) as number from eventstore.events2,
        jsonb_object_keys(case jsonb_typeof(payload) when 'object' then payload else '{}'::jsonb end) member
      where instance_id = $1 and event_type = any($2) group by 1, 2 order by 1, 2`,
      [this.#instanceId, types],
    )
    return rows.map(({ number, ...rest }) => ({ ...rest, number: Number(number) }))
  }

  /** How many names of a type are taken. */
  async countUnique(type: string): Promise<number> {
    const [row] = await this.#query<{ number: string }>(
      'select count(*) as number from eventstore.unique_constraints where instance_id = $1 and unique_type = $2',
      [this.#instanceId, type],
    )
    return Number(row?.number ?? 0)
  }

  /** The highest counter of each authenticator among the events of sessions, by the ID of the credential. */
  async signCounts(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#query<{ id: string; count: string }>(
      `select payload->>'webAuthNTokenId' as id, max((payload->>'signCount')::bigint) as count
      from eventstore.events2 where instance_id = $1 and aggregate_type = 'session'
        and event_type in ('user.human.mfa.u2f.token.signcount.changed', 'user.human.passwordless.token.signcount.changed')
      group by 1`,
      [this.#instanceId],
    )
    return new Map(rows.map(({ id, count }) => [id, Number(count)]))
  }

  /** A stored file; undefined when its bytes are not in the database. */
  async file(owner: string, name: string): Promise<StoredFile | undefined> {
    const [row] = await this.#query<{ content_type: string | null; data: Buffer | null }>(
      'select content_type, data from system.assets where instance_id = $1 and resource_owner = $2 and name = $3',
      [this.#instanceId, owner, name],
    )
    if (!row?.data) return undefined
    return { mediaType: row.content_type ?? 'application/octet-stream', bytes: row.data }
  }

  /** A position before which nothing can appear any more. The newest event is the first one of an index. */
  async mark(): Promise<string> {
    const [row] = await this.#query<{ mark: string }>(
      `select (least(position, extract(epoch from (select min(xact_start) from pg_stat_activity where ${WRITERS})))
        - ${MARGIN_SECONDS})::text as mark
      from eventstore.events2 where instance_id = $1 order by created_at desc, instance_id limit 1`,
      [this.#instanceId],
    )
    return row?.mark ?? '0'
  }

  /** Whether another connection is in a transaction that writes. */
  async isWritten(): Promise<boolean> {
    const [row] = await this.#query<{ number: string }>(
      `select count(*) as number from pg_stat_activity where ${WRITERS}`,
    )
    return Number(row?.number ?? 0) > 0
  }

  /** The aggregates with events of these types after a mark, by their type. One range of an index for each type of event. */
  async changedSince(mark: string, types: EventTypes): Promise<ReadonlyMap<string, readonly string[]>> {
    const changed = new Map<string, readonly string[]>()
    for (const [aggregateType, eventTypes] of types) {
      const rows = await this.#query<{ id: string }>(
        `select distinct aggregate_id as id from eventstore.events2
        where instance_id = $1 and aggregate_type = $2 and event_type = any($3) and position > $4::numeric`,
        [this.#instanceId, aggregateType, eventTypes, mark],
      )
      if (rows.length > 0)
        changed.set(
          aggregateType,
          rows.map(({ id }) => id),
        )
    }
    return changed
  }

  /** How many events of these types are newer than a mark. The margin of the mark does not count. */
  async countSince(mark: string, types: EventTypes): Promise<number> {
    let count = 0
    for (const [aggregateType, eventTypes] of types) {
      const [row] = await this.#query<{ number: string }>(
        `select count(*) as number from eventstore.events2
        where instance_id = $1 and aggregate_type = $2 and event_type = any($3) and position > $4::numeric + $5`,
        [this.#instanceId, aggregateType, eventTypes, mark, MARGIN_SECONDS],
      )
      count += Number(row?.number ?? 0)
    }
    return count
  }
}
