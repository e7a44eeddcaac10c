/** The tables in SQLite, as numbered migrations: append a new one, never change one that has shipped. */

/**
 * Run in order, each exactly once; the position in the list is its version. The index `events_by_stream` begins with the
 * id, so that it serves both the stream and the audit log of one thing.
 */
export const migrations: readonly string[] = [
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
  'alter table documents add column newer_state text',
]
