/** Brings the tables and indexes in SQLite up to date. */
import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { AnyKind, Field } from '../kind.ts'
import { sqliteDialect } from '../query/dialect.ts'
import { eventIndexes, FIELD_INDEX_PREFIX, indexStatements, MANY_ROWS } from '../query/schema.ts'
import { DatabaseRefused, reasonOfMark } from '../transfer/types.ts'
import { migrations } from './migrations.ts'

/** Creates or migrates the tables inside the caller's transaction. */
function migrate(database: DatabaseSync): void {
  // One table for several numbers: the version of the schema, the version of each kind's fold, and others.
  database.exec(
    'create table if not exists versions (instance integer not null, name text not null, version integer not null, primary key (instance, name)) strict, without rowid',
  )
  const names = database.prepare('select name from versions where instance = 1').all()
  const reason = reasonOfMark(names.map(({ name }) => String(name)))
  if (reason !== undefined) throw new DatabaseRefused(reason)
  const row = database.prepare(`select version from versions where instance = 1 and name = 'schema'`).get()
  const current = Number(row?.version ?? 0)
  if (current > migrations.length) {
    throw new Error(
      `The database has schema version ${current}, but this version of Signet supports ${migrations.length}. Use a newer version.`,
    )
  }
  for (const migration of migrations.slice(current)) {
    if (typeof migration === 'string') database.exec(migration)
    else migration(database)
  }
  if (current < migrations.length) {
    database
      .prepare(`insert or replace into versions (instance, name, version) values (1, 'schema', ?)`)
      .run(migrations.length)
  }
}

/** A change of an index that is left for later. */
export interface IndexChange {
  readonly name: string
  readonly sql: string
  readonly isDrop: boolean
}

/**
 * Creates the indexes of these kinds and drops those that no field declares any more. With many rows, it returns what
 * there is to do.
 */
function prepareIndexes(database: DatabaseSync, kinds: readonly AnyKind[]): readonly IndexChange[] {
  const wanted = new Map(
    [...kinds.flatMap((kind) => indexStatements(kind, sqliteDialect)), ...eventIndexes].map((index) => [
      index.name,
      index,
    ]),
  )
  const existing = database
    .prepare(`select name from sqlite_schema where type = 'index' and tbl_name in ('documents', 'events')`)
    .all()
    .map((row) => String(row.name))
  const prefixes = kinds.map(({ name }) => `${FIELD_INDEX_PREFIX}${name}.`)
  const changes: IndexChange[] = []
  for (const name of existing) {
    const isOurs = prefixes.some((prefix) => name.startsWith(prefix))
    if (isOurs && !wanted.has(name)) changes.push({ name, sql: `drop index if exists "${name}"`, isDrop: true })
  }
  for (const [name, { sql }] of wanted) if (!existing.includes(name)) changes.push({ name, sql, isDrop: false })
  const isLarge = ['documents', 'events'].some(
    (table) => database.prepare(`select 1 from ${table} limit 1 offset ${MANY_ROWS}`).get() !== undefined,
  )
  if (isLarge) return changes
  for (const { sql } of changes) database.exec(sql)
  return []
}

/**
 * Documents whose fields had not changed have a newer state beside the one that indexes are built from (`commit.ts`). When
 * a kind has other fields now, these may have changed since, so the newer state becomes the only one.
 */
function applyFields(database: DatabaseSync, kinds: readonly AnyKind[]): void {
  const recorded = database.prepare('select version from versions where instance = 1 and name = ?')
  const record = database.prepare('insert or replace into versions (instance, name, version) values (1, ?, ?)')
  const settle = database.prepare(
    'update documents set state = newer_state, newer_state = null where instance = 1 and kind = ? and newer_state is not null',
  )
  for (const kind of kinds) {
    const name = `fields.${kind.name}`
    const paths = Object.values<Field>(kind.fields).map(({ path }) => path.join('.'))
    const version = createHash('sha256').update(paths.sort().join(' ')).digest().readUInt32BE()
    const before = recorded.get(name)?.version
    if (before === version) continue
    if (before !== undefined) settle.run(kind.name)
    record.run(name, version)
  }
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

/** Records which version of the fold made the documents of `kind`. */
export function recordFold(database: DatabaseSync, kind: AnyKind): void {
  database
    .prepare('insert or replace into versions (instance, name, version) values (1, ?, ?)')
    .run(foldName(kind), kind.version)
}

export interface PreparedSchema {
  /** Kinds that must be rebuilt. */
  readonly stale: readonly AnyKind[]
  /** Indexes to build or drop after the store is open. */
  readonly changes: readonly IndexChange[]
}

/** Brings tables and indexes up to date in one transaction. */
export function prepareSchema(database: DatabaseSync, kinds: readonly AnyKind[]): PreparedSchema {
  database.exec('begin immediate')
  try {
    migrate(database)
    applyFields(database, kinds)
    const changes = prepareIndexes(database, kinds)
    const stale = staleKinds(database, kinds)
    database.exec('commit')
    return { stale, changes }
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}
