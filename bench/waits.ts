/**
 * How long others wait while something happens on a server: callers who read a user and callers who create one, beside the same
 * callers when nothing else happens. And the longest time in which the main thread made no turn, without the times in which
 * other processes had the processor; the server must be started with `WATCHED`.
 */
import type { Pause } from './event-loop-pauses.ts'
import { sleep } from './load.ts'
import { post, type Signet } from './signet.ts'
import { percentile } from './statistics.ts'
import type { Row } from './table.ts'

/** Between two requests of one caller. */
const PAUSE_MS = 20
const QUIET_MS = 5_000
const LIMIT_MS = 100

/** What such a server loads before it starts. */
export const WATCHED = [new URL('event-loop-pauses.ts', import.meta.url)]

export interface Waits {
  readonly read: readonly number[]
  readonly write: readonly number[]
  readonly pauseMs: number
  readonly seconds: number
}

/** Two callers who read one of these users and two who write, until `run` has ended. */
export async function waitsWhile(server: Signet, ids: readonly string[], run: () => Promise<unknown>): Promise<Waits> {
  let isOver = false
  const read: number[] = []
  const write: number[] = []
  const call = async (waits: number[], send: () => Promise<unknown>) => {
    while (!isOver) {
      const began = performance.now()
      await send()
      waits.push(performance.now() - began)
      await sleep(PAUSE_MS)
    }
  }
  const userId = () => ids[Math.floor(Math.random() * ids.length)]
  const readOne = () => post(server, '/signet.user.v2.UserService/GetUserByID', { userId: userId() })
  const writeOne = () => {
    const name = `other-${Math.random()}`
    return post(server, '/management/v1/users/machine', { userName: name, name })
  }
  await server.ask('pauses')
  const began = performance.now()
  const others = [call(read, readOne), call(read, readOne), call(write, writeOne), call(write, writeOne)]
  await run().finally(() => {
    isOver = true
  })
  const seconds = (performance.now() - began) / 1000
  await Promise.all(others)
  const pauses = (await server.ask('pauses')) as readonly Pause[]
  return { read, write, pauseMs: Math.max(0, ...pauses.map(({ ownMs }) => ownMs)), seconds }
}

/** The waits when nothing happens, which others are compared with. */
export function waitsOfQuiet(server: Signet, ids: readonly string[]): Promise<Waits> {
  return waitsWhile(server, ids, () => sleep(QUIET_MS))
}

export function waitsRow(what: string, { read, write, pauseMs, seconds }: Waits, quiet: Waits): Row {
  const longest = [...read, ...write].reduce((most, one) => Math.max(most, one), 0)
  const longestOfQuiet = [...quiet.read, ...quiet.write].reduce((most, one) => Math.max(most, one), 0)
  const [readP99, writeP99] = [percentile(read, 0.99), percentile(write, 0.99)]
  return {
    what: `longest wait of others, ${what}`,
    figure: `${longest.toFixed(0)} ms`,
    ...(quiet.read !== read && { ratio: longest / longestOfQuiet, of: 'nothing', aim: `< ${LIMIT_MS} ms` }),
    note: [
      `p99 of reads ${readP99.toFixed(0)} ms, of writes ${writeP99.toFixed(0)} ms (${read.length} and ${write.length})`,
      `longest pause ${pauseMs.toFixed(0)} ms`,
      `${seconds.toFixed(0)} s`,
    ].join(', '),
  }
}
