/** Brings the tables and indexes in PostgreSQL up to date, one node at a time. After a crash, the next start completes it. */
import type { AnyKind } from '../kind.ts'
import { NodeOutdated } from '../outdated.ts'
import type { Dialect } from '../query/dialect.ts'
import { eventIndexes, FIELD_INDEX_PREFIX, type IndexStatement, indexStatements, MANY_ROWS } from '../query/schema.ts'
import { DatabaseRefused, reasonOfMark } from '../transfer/types.ts'
import { type Connection, inTransaction } from './connection.ts'
import { changeSchema, checkDurability } from './distributed.ts'
import { forServer } from './functions.ts'
import { LOCKS, prepareLocks, withLock } from './locks.ts'
import { migrations, OLDEST_SCHEMA, oldestSchema } from './migrations.ts'
import { statementsOf } from './statements.ts'
import { prepareStatistics } from './statistics.ts'
import { registerBuilds } from './versions/build.ts'
import {
  DocumentKinds,
  type DocumentSet,
  foldName,
  LOADED,
  readFolds,
  readPlainVersions,
} from './versions/document-kinds.ts'

const OLDEST_VERSION = 150_000

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

async function recordVersions({ client }: Connection, versions: ReadonlyMap<string, number>): Promise<void> {
  await client.query(
    `insert into versions (instance, name, version) select 1, * from unnest($1::text[], $2::integer[])
     on conflict (instance, name) do update set version = excluded.version`,
    [[...versions.keys()], [...versions.values()]],
  )
}

function migrate(connection: Connection): Promise<void> {
  return inTransaction(connection, async () => {
    const { rows } = await connection.client.query<{ name: string }>('select name from versions where instance = 1')
    const reason = reasonOfMark(rows.map(({ name }) => name))
    if (reason !== undefined) throw new DatabaseRefused(reason)
    const current = (await readVersion(connection, 'schema')) ?? 0
    const oldest = (await readVersion(connection, OLDEST_SCHEMA)) ?? current
    if (oldest > migrations.length) {
      throw new NodeOutdated(
        `The database has schema version ${current}, but this version of Signet supports ${migrations.length}. Use a newer version.`,
      )
    }
    for (const { sql } of migrations.slice(current)) {
      for (const statement of statementsOf(sql)) await changeSchema(connection, forServer(connection, statement))
    }
    if (current < migrations.length) {
      const versions = { schema: migrations.length, [OLDEST_SCHEMA]: oldestSchema(migrations) }
      await recordVersions(connection, new Map(Object.entries(versions)))
    }
    // Writers that were killed could not delete their row.
    await connection.client.query(`delete from writers where seen_at < now() - interval '7 days'`)
  })
}

/**
 * Creates the indexes of the log and of these documents, and statistics of their fields. With `mayDrop`, it drops indexes
 * that no field declares any more.
 */
export async function prepareIndexes(
  connection: Connection,
  sets: readonly DocumentSet[],
  { dialect, mayDrop }: { readonly dialect: Dialect; readonly mayDrop: boolean },
): Promise<void> {
  const { client } = connection
  const documentIndexes = sets.flatMap(({ kind }) => indexStatements(kind, dialect))
  const wanted = new Set([...eventIndexes, ...documentIndexes].map(({ name }) => name))

  const { rows: existing } = await client.query<{ name: string; valid: boolean }>(
    `select c.relname::text as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid in ('documents'::regclass, 'events'::regclass)`,
  )
  const { rows: many } = await client.query(
    `(select from documents offset ${MANY_ROWS} limit 1) union all (select from events offset ${MANY_ROWS} limit 1)`,
  )
  const isLarge = many.length > 0

  const ours = sets.map(({ documentKind }) => `${FIELD_INDEX_PREFIX}${documentKind}.`)
  for (const { name, valid } of existing) {
    // An index whose creation was interrupted exists, but is invalid.
    const isOurs = ours.some((prefix) => name.startsWith(prefix)) || wanted.has(name)
    if (!isOurs || (valid && (wanted.has(name) || !mayDrop))) continue
    await changeSchema(connection, `drop index ${isLarge ? 'concurrently ' : ''}if exists "${name}"`)
  }
  const valid = new Set(existing.filter((index) => index.valid).map(({ name }) => name))
  // One table after the other: a transaction that locked both could deadlock with a writer.
  for (const indexes of [eventIndexes, documentIndexes]) {
    const missing = indexes.filter(({ name }) => !valid.has(name))
    await (isLarge ? createConcurrently(connection, missing) : createTogether(connection, missing))
  }
  await prepareStatistics(connection, sets, isLarge)
}

async function createConcurrently(connection: Connection, indexes: readonly IndexStatement[]): Promise<void> {
  for (const { sql } of indexes) {
    await changeSchema(connection, sql.replace('create index ', 'create index concurrently '))
  }
}

/** In one transaction: a new database needs a hundred of them. */
async function createTogether(connection: Connection, indexes: readonly IndexStatement[]): Promise<void> {
  if (indexes.length === 0) return
  await inTransaction(connection, async () => {
    for (const { sql } of indexes) await changeSchema(connection, sql)
  })
}

/** Records which version of the fold made the documents that have the plain name of `kind`. */
export function recordFold(connection: Connection, kind: AnyKind): Promise<void> {
  return recordFolds(connection, [kind])
}

function recordFolds(connection: Connection, kinds: readonly AnyKind[]): Promise<void> {
  return recordVersions(connection, new Map(kinds.map((kind) => [foldName(kind), kind.version])))
}

/** Kinds whose documents under the plain name are missing or of an unknown version: nothing can be served meanwhile. */
async function findStaleKinds(
  connection: Connection,
  kinds: readonly AnyKind[],
  plain: ReadonlyMap<string, number>,
): Promise<readonly AnyKind[]> {
  const isKnown = ({ name }: AnyKind) => plain.has(name) && plain.get(name) !== LOADED
  const unknown = kinds.filter((kind) => !plain.has(kind.name)).map(({ name }) => name)
  const { rows } = await connection.client.query<{ name: string }>(
    `select name from unnest($1::text[]) name
     where not exists (select from documents where instance = 1 and kind = name collate "C")`,
    [unknown],
  )
  const empty = new Set(rows.map(({ name }) => name))
  await recordFolds(
    connection,
    kinds.filter(({ name }) => empty.has(name)),
  )
  return kinds.filter((kind) => !isKnown(kind) && !empty.has(kind.name))
}

export interface PreparedSchema {
  /** Kinds that must be rebuilt before anything is served. */
  readonly stale: readonly AnyKind[]
  /** Documents that must be built beside those of other versions. */
  readonly unbuilt: readonly DocumentSet[]
}

/** A node that prepares the database. */
export interface PreparingNode {
  readonly documentKinds: DocumentKinds
  /** Records that the node is there; returns whether nodes of another release are there, too. */
  register(): Promise<boolean>
}

/** For work that uses no documents. */
const NO_NODE: PreparingNode = { documentKinds: new DocumentKinds(), register: async () => false }

/** Brings tables and indexes up to date, and registers the versions that this node uses. */
export async function prepareSchema(
  connection: Connection,
  kinds: readonly AnyKind[],
  { documentKinds, register }: PreparingNode = NO_NODE,
): Promise<PreparedSchema> {
  await checkServer(connection)
  await checkDurability(connection)
  await prepareLocks(connection)
  return await withLock(connection, LOCKS.schema, async () => {
    await migrate(connection)
    const plain = await readPlainVersions(connection)
    const stale = await findStaleKinds(connection, kinds, plain)
    documentKinds.resolve(kinds, new Map([...plain].filter(([, version]) => version !== LOADED)))
    const ready = new Set(
      (await readFolds(connection)).filter(({ state }) => state === 'ready').map(({ documentKind }) => documentKind),
    )
    const isBuilt = ({ kind, documentKind }: DocumentSet) => documentKind === kind.name || ready.has(documentKind)
    const unbuilt = documentKinds.sets.filter((set) => !isBuilt(set))
    if (unbuilt.length > 0) await registerBuilds(connection, unbuilt)
    // Another release may need the indexes that this one does not know.
    const mayDrop = !(await register())
    const { dialect } = documentKinds
    await prepareIndexes(connection, documentKinds.sets.filter(isBuilt), { dialect, mayDrop })
    return { stale, unbuilt }
  })
}
