/** Another node on the same PostgreSQL, in a process of its own. */
import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { NodeReply } from './node-child.ts'

export interface OtherNode {
  open(name: string): Promise<string>
  read(id: string): Promise<string>
  look(id: string, name: string): Promise<string>
  kill(signal: NodeJS.Signals): boolean
}

/** Starts a node; it ends with the stack. */
export async function startNode(
  cleanUp: AsyncDisposableStack,
  url: string,
  without: 'no-validation' | 'no-claims' | '' = '',
): Promise<OtherNode> {
  const child = fork(fileURLToPath(new URL('node-child.ts', import.meta.url)), [url, without])
  const waiting = new Map<number, (answer: string) => void>()
  let last = 0
  child.on('message', ({ number, answer }: NodeReply) => {
    waiting.get(number)?.(answer)
    waiting.delete(number)
  })
  cleanUp.defer(async () => {
    child.disconnect()
    await new Promise((resolve) => child.once('exit', resolve))
  })
  await new Promise<string>((resolve) => waiting.set(0, resolve))
  const ask = (request: object): Promise<string> =>
    new Promise((resolve) => {
      waiting.set(++last, resolve)
      child.send({ ...request, number: last })
    })
  return {
    open: (name) => ask({ type: 'open', name }),
    read: (id) => ask({ type: 'read', id }),
    look: (id, name) => ask({ type: 'look', id, name }),
    kill: (signal) => child.kill(signal),
  }
}

/** Until it is over: stops the node for a moment, and ends its connections. Returns how many connections it ended. */
export async function disturb(url: string, other: OtherNode, isOver: () => boolean): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  let ended = 0
  while (!isOver()) {
    other.kill('SIGSTOP')
    await sleep(20)
    other.kill('SIGCONT')
    const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'other'`)
    ended += rowCount ?? 0
    await sleep(400)
  }
  await client.end()
  return ended
}
