/**
 * How long the main thread stands still under full load at 64 callers: operation 6 and reading a session on SQLite, beside
 * a bare gRPC server, in alternating rounds. Times in which other processes had the processor do not count. And whether
 * slow answers are rare: p99 beside p50.
 */
import { CALLERS, openCalls, TITLES } from './calls.ts'
import { startServer } from './child.ts'
import type { Pause } from './event-loop-pauses.ts'
import { sleep } from './load.ts'
import { alternate } from './rounds.ts'
import { startSignet, UNLIMITED } from './signet.ts'
import { type Target, warmUp } from './speed.ts'
import { median, percentile, spread } from './statistics.ts'
import type { Row } from './table.ts'

/** What is longer counts. */
const LIMIT_MS = 30
const ROUNDS = 4
const SECONDS = 4
const NO_PAUSE: Pause = { ms: 0, ownMs: 0, collectionMs: 0 }
const PRELOAD = [new URL('event-loop-pauses.ts', import.meta.url)]

interface Watched extends Target {
  readonly server: Target['server'] & { ask(question: string): Promise<unknown> }
}

interface Round {
  readonly pauses: readonly Pause[]
  readonly latencies: readonly number[]
  readonly failed: number
}

async function watchRound({ server, load: start }: Watched): Promise<Round> {
  const load = start(server.port)
  await sleep(500)
  await server.ask('pauses')
  load.take()
  await sleep(SECONDS * 1000)
  const { latencies, failed } = load.take()
  const pauses = (await server.ask('pauses')) as readonly Pause[]
  load.stop()
  await sleep(100)
  return { pauses, latencies, failed }
}

function rowsOf(what: string, rounds: readonly Round[], bare: readonly Round[]): Row[] {
  const isBare = rounds === bare
  const pausesOf = (all: readonly Round[]) => all.flatMap(({ pauses }) => pauses)
  const longestOf = (all: readonly Round[]) =>
    pausesOf(all).reduce((most, pause) => (pause.ownMs > most.ownMs ? pause : most), NO_PAUSE)
  const longest = longestOf(rounds)
  const longestWait = pausesOf(rounds).reduce((most, { ms, ownMs }) => Math.max(most, ms - ownMs), 0)
  const requests = rounds.reduce((sum, { latencies }) => sum + latencies.length, 0)
  const count = pausesOf(rounds).filter(({ ownMs }) => ownMs > LIMIT_MS).length
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0)
  const times = rounds.flatMap(({ latencies }) => latencies)
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  const shares = rounds.map(({ latencies }) => percentile(latencies, 0.99) / percentile(latencies, 0.5))
  return [
    {
      what: `longest pause, ${what}`,
      figure: `${longest.ownMs.toFixed(0)} ms`,
      ...(!isBare && {
        ratio: longest.ownMs / longestOf(bare).ownMs,
        of: 'bare gRPC',
        aim: `< ${LIMIT_MS} ms`,
      }),
      note: [
        ...(failed > 0 ? [`${failed} requests REFUSED or failed`] : []),
        `${longest.collectionMs.toFixed(0)} ms of it garbage collection`,
        `${((count * 100_000) / requests).toFixed(1)} pauses above ${LIMIT_MS} ms in 100,000 requests (of ${requests})`,
        `waited ${longestWait.toFixed(0)} ms at most for a processor`,
      ].join(', '),
    },
    {
      what: `p99, ${what}`,
      figure: `${p99.toFixed(1)} ms`,
      ratio: median(shares),
      of: 'p50',
      spread: spread(shares),
      isBare,
      ...(!isBare && { aim: '< 400 %' }),
      note: `p50 ${p50.toFixed(1)} ms at ${CALLERS} callers`,
    },
  ]
}

export async function benchPauses(): Promise<Row[]> {
  const bareServer = await startServer(new URL('bare.ts', import.meta.url), ['grpc'], PRELOAD)
  const server = await startSignet(undefined, { preload: PRELOAD, environment: UNLIMITED })
  const calls = await openCalls(server)
  const targets: Record<'bare' | 'add' | 'read', Watched> = {
    bare: { server: bareServer, load: calls.addMachine(CALLERS) },
    add: { server, load: calls.addMachine(CALLERS) },
    read: { server, load: calls.read(CALLERS) },
  }
  for (const target of Object.values(targets)) await warmUp(target)
  const { bare, add, read } = await alternate(
    {
      bare: () => watchRound(targets.bare),
      add: () => watchRound(targets.add),
      read: () => watchRound(targets.read),
    },
    ROUNDS,
  )
  await server.stop()
  await bareServer.stop()
  return [
    ...rowsOf('bare gRPC', bare, bare),
    ...rowsOf(`${TITLES.addMachine}, SQLite`, add, bare),
    ...rowsOf(`${TITLES.read}, SQLite`, read, bare),
  ]
}
