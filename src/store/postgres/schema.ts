/** Brings the tables and indexes in PostgreSQL up to date, one node at a time. After a crash, the next start completes it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyKind } from '../kind.ts'
import { postgresDialect } from '../query/dialect.ts'
import { FIELD_INDEX_PREFIX, type IndexStatement, indexStatements } from '../query/schema.ts'
import { DatabaseRefused, reasonOfMark } from '../transfer/types.ts'
import type { Connection } from './connection.ts'
import { migrations } from './migrations.ts'

// The key of the advisory lock, "Sign" and "et" in ASCII. It must never change.
const LOCK = '1399416686, 25972'
const POLL_MS = 50

const OLDEST_VERSION = 150_000

/** With more documents than this, indexes are built without blocking writers. */
const MANY_DOCUMENTS = 10_000

/** Runs `work` under a lock that only one node can hold. */
async function withLock<Value>({ client }: Connection, work: () => Promise<Value>): Promise<Value> {
  // Polls instead of waiting in the database: a waiting statement has a snapshot, and the node that holds the lock
  // would wait for that snapshot indefinitely when it builds an index concurrently.
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${LOCK}) as held`)
    if (rows[0]?.held) break
    await sleep(POLL_MS)
  }
  try {
    return await work()
  } finally {
    await client.query(`select pg_advisory_unlock(${LOCK})`)
  }
}

/** Runs `work` in a transaction, which is rolled back when the work fails. */
export async function inTransaction<Value>({ client }: Connection, work: () => Promise<Value>): Promise<Value> {
  await client.query('begin')
  try {
    const value = await work()
    await client.query('commit')
    return value
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function checkServer({ client }: Connection): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
  )
  if (Number(rows[0]?.version) < OLDEST_VERSION) throw new Error('PostgreSQL 15 or later is required')
  if (rows[0]?.encoding !== 'UTF8') throw new Error('the database encoding must be UTF8')
}

async function readVersion({ client }: Connection, name: string): Promise<number | undefined> {
  const text = 'select version from versions where instance = 1 and name = $1'
  return (await client.query<{ version: number }>(text, [name])).rows[0]?.version
}

async function recordVersion({ client }: Connection, name: string, version: number): Promise<void> {
  await client.query(
    `insert into versions (instance, name, version) values (1, $1, $2)
     on conflict (instance, name) do update set version = excluded.version`,
    [name, version],
  )
}

function migrate(connection: Connection): Promise<void> {
  return inTransaction(connection, async () => {
    await connection.client.query(
      `create table if not exists versions (
         instance integer not null, name text collate "C" not null, version integer not null, primary key (instance, name))`,
    )
    const { rows } = await connection.client.query<{ name: string }>('select name from versions where instance = 1')
    const reason = reasonOfMark(rows.map(({ name }) => name))
    if (reason !== undefined) throw new DatabaseRefused(reason)
    const current = (await readVersion(connection, 'schema')) ?? 0
    if (current > migrations.length) {
      throw new Error(
        `The database has schema version ${current}, but this version of Signet supports ${migrations.length}. Use a newer version.`,
      )
    }
    for (const migration of migrations.slice(current)) await connection.client.query(migration)
    if (current < migrations.length) await recordVersion(connection, 'schema', migrations.length)
    // Writers that were killed could not delete their row.
    await connection.client.query(`delete from writers where seen_at < now() - interval '7 days'`)
  })
}

async function prepareIndexes({ client }: Connection, kinds: readonly AnyKind[]): Promise<void> {
  const wanted = new Map<string, IndexStatement>()
  for (const kind of kinds) for (const index of indexStatements(kind, postgresDialect)) wanted.set(index.name, index)

  const { rows: existing } = await client.query<{ name: string; valid: boolean }>(
    `select c.relname::text as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'documents'::regclass`,
  )
  const { rows: many } = await client.query(`select from documents offset ${MANY_DOCUMENTS} limit 1`)
  const concurrently = many.length > 0 ? 'concurrently ' : ''

  const ours = kinds.map(({ name }) => `${FIELD_INDEX_PREFIX}${name}.`)
  for (const { name, valid } of existing) {
    // An index whose creation was interrupted exists, but is invalid.
    if (!ours.some((prefix) => name.startsWith(prefix)) || (valid && wanted.has(name))) continue
    await client.query(`drop index ${concurrently}if exists "${name}"`)
  }
  const valid = new Set(existing.filter((index) => index.valid).map(({ name }) => name))
  for (const { name, sql } of wanted.values()) {
    if (!valid.has(name)) await client.query(sql.replace('create index ', `create index ${concurrently}`))
  }
}

function foldName(kind: AnyKind): string {
  return `fold.${kind.name}`
}

/** Records which version of the fold made the documents of `kind`. */
export function recordFold(connection: Connection, kind: AnyKind): Promise<void> {
  return recordVersion(connection, foldName(kind), kind.version)
}

async function findStaleKinds(connection: Connection, kinds: readonly AnyKind[]): Promise<readonly AnyKind[]> {
  const stale: AnyKind[] = []
  for (const kind of kinds) {
    const version = await readVersion(connection, foldName(kind))
    if (version === kind.version) continue
    const text = 'select from documents where instance = 1 and kind = $1 limit 1'
    const isEmpty = version === undefined && (await connection.client.query(text, [kind.name])).rows.length === 0
    if (isEmpty) await recordFold(connection, kind)
    else stale.push(kind)
  }
  return stale
}

/** Brings tables and indexes up to date and returns the kinds that must be rebuilt. */
export async function prepareSchema(connection: Connection, kinds: readonly AnyKind[]): Promise<readonly AnyKind[]> {
  await checkServer(connection)
  return await withLock(connection, async () => {
    await migrate(connection)
    await prepareIndexes(connection, kinds)
    return await findStaleKinds(connection, kinds)
  })
}
