/** A database with the tables of a ZITADEL that an import reads. */
import pg from 'pg'
import { freshDatabase } from '../../support/postgres.ts'

/** A row of `eventstore.events2`. */
export interface PeerRow {
  readonly instance_id: string
  readonly aggregate_type: string
  readonly aggregate_id: string
  readonly event_type: string
  readonly sequence: number
  readonly revision: number
  readonly created_at: string
  readonly payload: unknown
  readonly creator: string
  readonly owner: string
  readonly position: string
  readonly in_tx_order: number
}

export interface PeerDatabase {
  readonly url: string
  insertEvents(rows: readonly PeerRow[]): Promise<void>
  run(sql: string, values?: readonly unknown[]): Promise<void>
  drop(): Promise<void>
}

const SCHEMA = `
  create schema eventstore;
  create schema system;
  create table eventstore.events2 (
    instance_id text not null, aggregate_type text not null, aggregate_id text not null, event_type text not null,
    sequence bigint not null, revision smallint not null, created_at timestamptz not null, payload jsonb,
    creator text not null, owner text not null, position numeric not null, in_tx_order integer not null,
    primary key (instance_id, aggregate_type, aggregate_id, sequence));
  create index es_active_instances on eventstore.events2 (created_at desc, instance_id);
  create index es_projection on eventstore.events2 (instance_id, aggregate_type, event_type, position);
  create table eventstore.unique_constraints (
    instance_id text, unique_type text, unique_field text, primary key (instance_id, unique_type, unique_field));
  create table system.encryption_keys (id text primary key, key text not null);
  create table system.assets (
    instance_id text not null, asset_type text, resource_owner text not null, name text not null, content_type text,
    hash text generated always as (md5(data)) stored, data bytea, updated_at timestamptz,
    primary key (instance_id, resource_owner, name));`

/** An empty one; undefined when this machine has no PostgreSQL. */
export async function peerDatabase(): Promise<PeerDatabase | undefined> {
  const database = await freshDatabase()
  if (!database) return undefined
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(SCHEMA)
  return {
    url: database.url,
    async insertEvents(rows) {
      await client.query(
        `insert into eventstore.events2
        select * from jsonb_populate_recordset(null::eventstore.events2, $1::jsonb)`,
        [JSON.stringify(rows)],
      )
    },
    async run(sql, values = []) {
      await client.query(sql, [...values])
    },
    async drop() {
      await client.end()
      await database.drop()
    },
  }
}
