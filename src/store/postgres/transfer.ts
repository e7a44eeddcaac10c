/** Snapshots of a PostgreSQL database, and loading a log into one. */
import type { CountRow } from '../counters.ts'
import type { AnyKind } from '../kind.ts'
import {
  DatabaseRefused,
  type EventLine,
  type JobLine,
  type Loader,
  MARKS,
  type Snapshot,
  type StoredClaim,
  type StoredDocument,
  type StoredVersion,
} from '../transfer/types.ts'
import { bigints, booleans, integers, jsons, texts } from './arrays.ts'
import { type Connection, connect, inTransaction, listTargets } from './connection.ts'
import { type EventColumns, eventColumns, portions, streamsOf } from './log.ts'
import { prepareSchema } from './schema.ts'
import { RETIRED, readFolds, readPlainVersions } from './versions/document-kinds.ts'

/** Commands wait longer for a database than servers do. */
export const CONNECT_TIMEOUT_MS = 10_000

function open(url: string): Promise<Connection> {
  return connect({ targets: listTargets(url), connectTimeoutMs: CONNECT_TIMEOUT_MS, statementTimeoutMs: 0 })
}

/** Whether the database knows versions of documents: it may not have been started by this version yet. */
async function knowsVersions({ client }: Connection): Promise<boolean> {
  return (await client.query(`select 1 where to_regclass('behind') is not null`)).rows.length > 0
}

async function* documentsOf(connection: Connection, documentKind: string): AsyncGenerator<StoredDocument> {
  const [behind, marks] = (await knowsVersions(connection))
    ? ['b.sequence', 'left join behind b on b.instance = 1 and b.document_kind = d.kind and b.id = d.id']
    : ['null', '']
  const columns = `d.id, d.owner, d.state::text as state, d.gone, d.revision, d.sequence, d.created_at as "createdAt",
    d.changed_at as "changedAt", null as indexed, ${behind} as behind`
  const sql = `select ${columns} from documents d ${marks}
    where d.instance = 1 and d.kind = '${documentKind}' order by d.id`
  for await (const rows of portions<StoredDocument>(connection, sql)) yield* rows
}

async function versionsOf(connection: Connection, { name }: AnyKind): Promise<readonly StoredVersion[]> {
  const plain = (await readPlainVersions(connection)).get(name)
  const found = plain === undefined || plain === RETIRED ? [] : [{ version: plain, documentKind: name, isReady: true }]
  if (!(await knowsVersions(connection))) return found
  for (const { kind, version, documentKind, state } of await readFolds(connection)) {
    if (kind !== name || documentKind === name || state === 'retired') continue
    found.push({ version, documentKind, isReady: state === 'ready' })
  }
  return found
}

async function* claimsOf(connection: Connection, { name }: AnyKind): AsyncGenerator<StoredClaim> {
  const sql = `select id, kind, value from claims where instance = 1 and holder_kind = '${name}' order by id, kind, value`
  for await (const rows of portions<StoredClaim>(connection, sql)) yield* rows
}

async function* countersOf(connection: Connection): AsyncGenerator<readonly CountRow[]> {
  const { rows } = await connection.client.query(`select 1 where to_regclass('counters') is not null`)
  // The database of an earlier version has none.
  if (rows.length > 0)
    yield* portions<CountRow>(connection, 'select kind, scope, hour, name, n from counters where instance = 1')
}

async function* eventsAfter(connection: Connection, after: number): AsyncGenerator<readonly EventLine[]> {
  const sql = `select ${eventColumns} from events where instance = 1 and sequence > ${after} order by sequence`
  for await (const rows of portions<EventColumns>(connection, sql)) {
    yield rows.map(({ sequence, kind, id, revision, type, data, actor, owner, at }) => {
      return [sequence, kind, id, revision, type, data, actor, owner, at] as const
    })
  }
}

async function* jobsOf(connection: Connection): AsyncGenerator<readonly JobLine[]> {
  const sql = 'select id, kind, data, due_at, attempts, parked, error from jobs where instance = 1 order by id'
  type Row = Readonly<Record<'id' | 'kind' | 'data' | 'error', string>> &
    Readonly<Record<'due_at' | 'attempts', number>> & { readonly parked: boolean }
  for await (const rows of portions<Row>(connection, sql)) {
    yield rows.map(({ id, kind, data, due_at, attempts, parked, error }) => {
      return [id, kind, data, due_at, attempts, parked, error] as const
    })
  }
}

/** The database at this moment; rejects when it has no tables of ours. */
export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const connection = await open(url)
  const { client } = connection
  const one = async (sql: string, ...values: readonly string[]) =>
    Object.values((await client.query(sql, [...values])).rows[0] ?? {})[0] as number | undefined
  if ((await one(`select (to_regclass('events') is not null)::int`)) !== 1) {
    await connection.end()
    throw new DatabaseRefused('The PostgreSQL database has no tables of Signet.')
  }
  await client.query('begin isolation level repeatable read read only')
  return {
    engine: 'postgres',
    sequence: (await one('select sequence from instances where id = 1')) ?? 0,
    eventCount: (await one('select count(*) from events where instance = 1')) ?? 0,
    jobCount: (await one('select count(*) from jobs where instance = 1')) ?? 0,
    events: (after = 0) => eventsAfter(connection, after),
    jobs: () => jobsOf(connection),
    streams: (kind) => streamsOf(connection, kind),
    documents: (documentKind) => documentsOf(connection, documentKind),
    claims: (kind) => claimsOf(connection, kind),
    counters: () => countersOf(connection),
    versions: (kind) => versionsOf(connection, kind),
    close: () => connection.end(),
  }
}

async function setMark({ client }: Connection, mark: string): Promise<void> {
  await client.query('insert into versions (instance, name, version) values (1, $1, 1) on conflict do nothing', [mark])
}

/**
 * Marks the database as moved, if it is still at this sequence. Servers that still run cannot write any more: the row that
 * orders their commits is gone.
 */
export async function markPostgresMoved(url: string, sequence: number): Promise<boolean> {
  const connection = await open(url)
  try {
    return await inTransaction(connection, async () => {
      const { rowCount } = await connection.client.query('update instances set id = 0 where id = 1 and sequence = $1', [
        sequence,
      ])
      if (rowCount !== 1) return false
      await setMark(connection, MARKS.moved)
      return true
    })
  } finally {
    await connection.end()
  }
}

async function addEvents({ client }: Connection, lines: readonly EventLine[]): Promise<void> {
  await client.query({
    name: 'load_events',
    text: `insert into events (instance, ${eventColumns}) select 1, e.* from unnest($1::bigint[], $2::text[], $3::text[],
      $4::integer[], $5::text[], $6::json[], $7::text[], $8::text[], $9::bigint[]) as e`,
    values: [
      bigints(lines, (line) => line[0]),
      texts(lines, (line) => line[1]),
      texts(lines, (line) => line[2]),
      integers(lines, (line) => line[3]),
      texts(lines, (line) => line[4]),
      jsons(lines, (line) => line[5]),
      texts(lines, (line) => line[6]),
      texts(lines, (line) => line[7]),
      bigints(lines, (line) => line[8]),
    ],
  })
}

async function addJobs({ client }: Connection, lines: readonly JobLine[]): Promise<void> {
  await client.query({
    name: 'load_jobs',
    text: `insert into jobs (instance, id, kind, data, due_at, attempts, parked, error) select 1, j.* from unnest($1::text[],
      $2::text[], $3::json[], $4::bigint[], $5::integer[], $6::boolean[], $7::text[]) as j on conflict do nothing`,
    values: [
      texts(lines, (line) => line[0]),
      texts(lines, (line) => line[1]),
      jsons(lines, (line) => line[2]),
      bigints(lines, (line) => line[3]),
      integers(lines, (line) => line[4]),
      booleans(lines, (line) => line[5]),
      texts(lines, (line) => line[6]),
    ],
  })
}

/** Opens a database for loading: an empty one, or one whose loading was interrupted. */
export async function openPostgresLoader(url: string, kinds: readonly AnyKind[]): Promise<Loader> {
  const connection = await open(url)
  const { client } = connection
  const has = async (sql: string) => (await client.query(sql)).rows.length > 0
  if (!(await has(`select 1 where to_regclass('events') is not null`))) await prepareSchema(connection, kinds)
  const isLoading = await has(`select 1 from versions where name = '${MARKS.loading}'`)
  const { rows } = await client.query<{ last: number | null }>('select max(sequence) as last from events')
  const last = rows[0]?.last ?? null
  if (!isLoading && last !== null) {
    await connection.end()
    throw new DatabaseRefused('The PostgreSQL database is not empty. Name an empty one.')
  }
  await setMark(connection, MARKS.loading)
  return {
    loaded: last ?? 0,
    addEvents: (lines) => addEvents(connection, lines),
    addJobs: (lines) => addJobs(connection, lines),
    finish: (sequence) =>
      inTransaction(connection, async () => {
        await client.query('update instances set sequence = $1 where id = 1', [sequence])
        // The next start folds all documents.
        await client.query(`update versions set version = 0 where name like 'fold.%'`)
        await client.query('delete from versions where name = $1', [MARKS.loading])
      }),
    close: () => connection.end(),
  }
}
