/**
 * Locks that one node holds at a time, for work that two nodes must not do at once. A lock is a row of `versions`, locked by
 * a transaction on a connection of its own: so it counts wherever the row is, whichever server or pooler a node is connected
 * to, and ends with the connection. The transaction reads nothing else, so indexes can be built concurrently meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from './connection.ts'
import { changeSchema } from './distributed.ts'
import { sqlState, unavailable } from './errors.ts'

interface Lock {
  /** The name of its row. */
  readonly row: string
  /**
   * The key of the advisory lock that nodes of releases before this one take instead: "Sign" in ASCII, and a number for each
   * purpose. It is taken as well, so that they and this node exclude each other during an upgrade.
   */
  readonly key: string
}

/** They must never change. */
export const LOCKS = {
  schema: { row: 'lock.schema', key: '1399416686, 25972' },
  build: { row: 'lock.build', key: '1399416686, 25973' },
  removal: { row: 'lock.removal', key: '1399416686, 25974' },
} as const satisfies Readonly<Record<string, Lock>>

const POLL_MS = 50

const VERSIONS = `create table if not exists versions (
  instance integer not null, name text collate "C" not null, version integer not null, primary key (instance, name))`

/** Two nodes created the table at once: one of them gets one of these. */
const IS_THERE = ['23505', '42P07', '42710']

/** Creates the table that has the locks, and these. It is the only table that is created without a lock. */
export async function prepareLocks(connection: Connection): Promise<void> {
  const { client } = connection
  if ((await client.query(`select 1 where to_regclass('versions') is null`)).rows.length > 0) {
    await changeSchema(connection, VERSIONS).catch((error: unknown) => {
      if (!IS_THERE.includes(sqlState(error) ?? '')) throw error
    })
  }
  await client.query(
    `insert into versions (instance, name, version) select 1, name, 0 from unnest($1::text[]) as name
     on conflict do nothing`,
    [Object.values(LOCKS).map(({ row }) => row)],
  )
}

/** Takes the lock in a transaction of the holder; rolls it back when another node has the lock. */
async function tryLock({ client }: Connection, { row, key }: Lock): Promise<boolean> {
  await client.query('begin')
  const taken = await client.query('select from versions where instance = 1 and name = $1 for update skip locked', [
    row,
  ])
  if (taken.rows.length > 0) {
    const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_xact_lock(${key}) as held`)
    if (rows[0]?.held === true) {
      // The work may take hours, and this transaction does nothing meanwhile.
      await client.query(
        `select set_config(name, '0', true) from pg_settings
         where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')`,
      )
      return true
    }
  }
  await client.query('rollback')
  return false
}

async function runHeld<Value>(connection: Connection, holder: Connection, work: () => Promise<Value>): Promise<Value> {
  // Without the lock, another node may begin.
  holder.onBroken = () => void connection.end()
  const value = await work()
  if (holder.isBroken) throw unavailable(new Error('the connection that held a lock was lost'))
  return value
}

async function release(holder: Connection): Promise<void> {
  holder.onBroken = () => {}
  await holder.client.query('rollback').catch(() => {})
  await holder.end()
}

/** Runs `work` under a lock that only one node can hold. */
export async function withLock<Value>(connection: Connection, lock: Lock, work: () => Promise<Value>): Promise<Value> {
  const holder = await connection.another()
  try {
    // Polls instead of waiting in the database: a waiting statement has a snapshot, and the node that holds the lock
    // would wait for that snapshot indefinitely when it builds an index concurrently.
    while (!(await tryLock(holder, lock))) await sleep(POLL_MS)
    return await runHeld(connection, holder, work)
  } finally {
    await release(holder)
  }
}

/** Like the function above, but does nothing when another node holds the lock. */
export async function withFreeLock(connection: Connection, lock: Lock, work: () => Promise<void>): Promise<void> {
  const holder = await connection.another()
  try {
    if (await tryLock(holder, lock)) await runHeld(connection, holder, work)
  } finally {
    await release(holder)
  }
}
