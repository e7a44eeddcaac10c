/** The tables in SQLite, as numbered migrations: append a new one, never change one that has shipped. */
import type { DatabaseSync } from 'node:sqlite'

/** SQL, or a function that runs inside the transaction of all migrations. */
export type Migration = string | ((database: DatabaseSync) => void)

/**
 * Run in order, each exactly once; the position in the list is its version. The index `events_by_stream` begins with the
 * id, so that it serves both the stream and the audit log of one thing.
 */
export const migrations: readonly Migration[] = [
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
  // The state since a change that left all fields as they are in the column `state`, which the indexes contain; or null.
  (database) => addColumn(database, 'documents', 'changed_at integer not null', 'newer_state text'),
  // By hour, so that old ones are found.
  `
  create table counters (
    instance integer not null,
    kind text not null,
    scope text not null,
    hour integer not null,
    name text not null,
    n integer not null,
    primary key (instance, kind, scope, hour, name)
  ) strict, without rowid;
  create index counters_by_hour on counters (instance, hour);
  `,
]

/**
 * Adds a column without a value behind the last one. `alter table` would read the whole table, because it is strict, which
 * takes a minute with six million documents. The new column changes nothing in the file but the schema, so only that is
 * written, as https://sqlite.org/lang_altertable.html#otheralter describes.
 */
function addColumn(database: DatabaseSync, table: string, last: string, added: string): void {
  database.enableDefensive(false)
  try {
    database.exec('pragma writable_schema = on')
    const changed = database
      .prepare(
        `update sqlite_schema set sql = replace(sql, ?, ?) where type = 'table' and name = ? and instr(sql, ?) > 0`,
      )
      .run(last, `${last},\n    ${added}`, table, last)
    if (changed.changes !== 1) throw new Error(`the table ${table} has another definition than expected`)
    // Other connections notice a new schema by its version, which every ordinary change of the schema raises.
    database.exec('pragma writable_schema = reset; create table renewed (id); drop table renewed')
  } finally {
    database.enableDefensive(true)
  }
}
