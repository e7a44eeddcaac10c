/** Locks that one node holds at a time, for work that two nodes must not do at once. They end with the connection. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from './connection.ts'

/** The keys of advisory locks: "Sign" in ASCII, and a number for each purpose. They must never change. */
export const LOCKS = {
  schema: '1399416686, 25972',
  build: '1399416686, 25973',
  removal: '1399416686, 25974',
} as const

type Lock = (typeof LOCKS)[keyof typeof LOCKS]

const POLL_MS = 50

async function tryLock({ client }: Connection, lock: Lock): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${lock}) as held`)
  return rows[0]?.held === true
}

async function runHeld<Value>({ client }: Connection, lock: Lock, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } finally {
    await client.query(`select pg_advisory_unlock(${lock})`).catch(() => {})
  }
}

/** Runs `work` under a lock that only one node can hold. */
export async function withLock<Value>(connection: Connection, lock: Lock, work: () => Promise<Value>): Promise<Value> {
  // Polls instead of waiting in the database: a waiting statement has a snapshot, and the node that holds the lock
  // would wait for that snapshot indefinitely when it builds an index concurrently.
  while (!(await tryLock(connection, lock))) await sleep(POLL_MS)
  return runHeld(connection, lock, work)
}

/** Like the function above, but does nothing when another node holds the lock. */
export async function withFreeLock(connection: Connection, lock: Lock, work: () => Promise<void>): Promise<void> {
  if (await tryLock(connection, lock)) await runHeld(connection, lock, work)
}
