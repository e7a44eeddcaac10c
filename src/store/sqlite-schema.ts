/** The tables in SQLite, how older ones become them, and the indexes of the kinds. */
import type { DatabaseSync } from 'node:sqlite'
import type { AnyKind } from './kind.ts'
import { FIELD_INDEX_PREFIX, indexStatements, sqliteDialect } from './query.ts'

/**
 * Each entry leads from one schema version to the next; entries that have shipped never change.
 * `events` is found by stream id first, so that one index serves the stream and the audit log of one thing.
 */
const MIGRATIONS: readonly string[] = [
  `
  create table instances (
    id integer primary key,
    sequence integer not null
  ) strict;
  insert into instances (id, sequence) values (1, 0);

  create table events (
    instance integer not null,
    sequence integer not null,
    kind text not null,
    id text not null,
    revision integer not null,
    type text not null,
    data text not null,
    actor text not null,
    owner text not null,
    at integer not null,
    primary key (instance, sequence)
  ) strict, without rowid;
  create unique index events_by_stream on events (instance, id, kind, revision);
  create index events_by_actor on events (instance, actor, sequence);
  create index events_by_type on events (instance, type, sequence);

  create table documents (
    instance integer not null,
    kind text not null,
    id text not null,
    owner text not null,
    state text not null,
    gone integer not null,
    revision integer not null,
    sequence integer not null,
    created_at integer not null,
    changed_at integer not null
  ) strict;
  create unique index documents_by_id on documents (instance, kind, id);
  create index documents_by_owner on documents (instance, kind, owner, created_at, id) where not gone;
  create index documents_by_creation on documents (instance, kind, created_at, id) where not gone;

  create table claims (
    instance integer not null,
    kind text not null,
    value text not null,
    id text not null,
    holder_kind text not null,
    primary key (instance, kind, value)
  ) strict, without rowid;

  create table jobs (
    instance integer not null,
    id text not null,
    kind text not null,
    data text not null,
    due_at integer not null,
    leased_until integer not null,
    attempts integer not null,
    parked integer not null,
    error text not null,
    primary key (instance, id)
  ) strict, without rowid;
  create index jobs_by_due on jobs (instance, due_at) where not parked;
  create index jobs_parked on jobs (instance, id) where parked;
  `,
]

/** Creates or migrates the tables inside the caller's transaction. */
function migrate(database: DatabaseSync): void {
  // In one table for all small numbers: the schema's version and the version of each kind's fold.
  database.exec(
    'create table if not exists versions (instance integer not null, name text not null, version integer not null, primary key (instance, name)) strict, without rowid',
  )
  const row = database.prepare(`select version from versions where instance = 1 and name = 'schema'`).get()
  const current = Number(row?.version ?? 0)
  if (current > MIGRATIONS.length) {
    throw new Error(
      `The database has schema version ${current}, but this version of Signet supports ${MIGRATIONS.length}. Use a newer version.`,
    )
  }
  for (const migration of MIGRATIONS.slice(current)) database.exec(migration)
  if (current < MIGRATIONS.length) {
    database
      .prepare(`insert or replace into versions (instance, name, version) values (1, 'schema', ?)`)
      .run(MIGRATIONS.length)
  }
}

/** Creates the indexes of these kinds and drops those that their fields no longer ask for. */
function prepareIndexes(database: DatabaseSync, kinds: readonly AnyKind[]): void {
  const wanted = new Map(
    kinds.flatMap((kind) => indexStatements(kind, sqliteDialect)).map((index) => [index.name, index]),
  )
  const existing = database
    .prepare(`select name from sqlite_schema where type = 'index' and tbl_name = 'documents'`)
    .all()
    .map((row) => String(row.name))
  for (const { name } of kinds) {
    const prefix = `${FIELD_INDEX_PREFIX}${name}.`
    for (const index of existing) {
      if (index.startsWith(prefix) && !wanted.has(index)) database.exec(`drop index "${index}"`)
    }
  }
  for (const [name, { sql }] of wanted) if (!existing.includes(name)) database.exec(sql)
}

/** The kinds whose documents were folded by another version. A kind without any events needs no rebuild. */
function staleKinds(database: DatabaseSync, kinds: readonly AnyKind[]): readonly AnyKind[] {
  const versionOf = database.prepare('select version from versions where instance = 1 and name = ?')
  const anyEvent = database.prepare('select 1 from events where instance = 1 and kind = ? limit 1')
  return kinds.filter((kind) => {
    const version = versionOf.get(foldName(kind))?.version
    if (version === kind.version) return false
    if (version !== undefined || anyEvent.get(kind.name) !== undefined) return true
    recordFold(database, kind)
    return false
  })
}

function foldName(kind: AnyKind): string {
  return `fold.${kind.name}`
}

/** Notes by which version of the fold the documents of `kind` were made. */
export function recordFold(database: DatabaseSync, kind: AnyKind): void {
  database
    .prepare('insert or replace into versions (instance, name, version) values (1, ?, ?)')
    .run(foldName(kind), kind.version)
}

/** Brings tables and indexes up to date in one transaction and says which kinds must be rebuilt. */
export function prepareSchema(database: DatabaseSync, kinds: readonly AnyKind[]): readonly AnyKind[] {
  database.exec('begin immediate')
  try {
    migrate(database)
    prepareIndexes(database, kinds)
    const stale = staleKinds(database, kinds)
    database.exec('commit')
    return stale
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}
