/** Connections are cut and PostgreSQL restarts under load: calls wait, are repeated where that is safe, and nothing is lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, countLost, keepWriting, newHistory, openAccount } from '../../test/support/accounts.ts'
import { findPostgres, startPostgres } from '../../test/support/postgres.ts'
import { grouped, isInTime, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'

const WRITERS = 8
const READERS = 4

/** Why there is no PostgreSQL; undefined when there is. */
export function postgresObstacle(): string | undefined {
  return findPostgres() === undefined ? 'PostgreSQL is not installed' : undefined
}

interface Restarts {
  readonly rounds: number
  readonly acknowledgesEarly?: boolean
  /** How long calls wait for the server; the default is longer than a restart. */
  readonly patienceMs?: number
  /** How long the server is away. */
  readonly awayMs?: number
}

interface Seen {
  readonly acknowledged: number
  readonly lost: number
  readonly refused: number
  readonly failedReads: number
  readonly reads: number
  readonly longestMs: number
}

/** Ends the server in turn by a clean stop, kill -9 and a crash, and between them ends all of its connections. */
async function restartUnderLoad({
  rounds,
  acknowledgesEarly = false,
  patienceMs,
  awayMs = 0,
}: Restarts): Promise<Seen> {
  await using cleanUp = new AsyncDisposableStack()
  const server = await startPostgres()
  cleanUp.defer(() => server.remove())
  const patience = patienceMs === undefined ? {} : { patienceMs }
  const store = await openStore(await openPostgres({ url: server.url(), ...patience }), [accounts])
  cleanUp.defer(() => store.close())
  const known = await openAccount(store, 'known')
  const history = newHistory()
  history.acknowledged.add('known')
  let isOver = false
  cleanUp.defer(() => {
    isOver = true
  })
  const reads = { done: 0, failed: 0 }
  const keepReading = async () => {
    while (!isOver) {
      const found = await store.get(accounts, known).catch(() => undefined)
      if (found?.state.name === 'known') reads.done++
      else reads.failed++
      await sleep(1)
    }
  }
  const work = [
    ...Array.from({ length: WRITERS }, () => keepWriting(store, history, () => isOver, { acknowledgesEarly })),
    ...Array.from({ length: READERS }, keepReading),
  ]
  const ends = [() => server.stop(), () => server.kill(), () => server.stop('immediate')]
  let longestMs = 0
  for (let round = 0; round < rounds; round++) {
    await sleep(200)
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name = 'signet'`,
    )
    await sleep(200)
    await ends[round % ends.length]?.()
    await sleep(awayMs)
    await server.start()
    const before = history.acknowledged.size
    const backAt = performance.now()
    while (history.acknowledged.size === before) await sleep(5)
    longestMs = Math.max(longestMs, performance.now() - backAt)
  }
  isOver = true
  await Promise.all(work)
  return {
    acknowledged: history.acknowledged.size,
    lost: await countLost(store, history),
    refused: history.unknown.size,
    failedReads: reads.failed,
    reads: reads.done,
    longestMs: Math.round(longestMs),
  }
}

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 3, 60)
  // On a busy machine a restart takes longer than calls usually wait.
  const seen = await restartUnderLoad({ rounds, ...(run.isShort && { patienceMs: 60_000 }) })
  const { acknowledged, lost, refused, failedReads, reads, longestMs } = seen
  return {
    done: `PostgreSQL stopped, killed and crashed under load, ${rounds} ×, and all connections terminated between`,
    figure: `${lost} lost of ${grouped(acknowledged)}, ${failedReads} of ${grouped(reads)} reads failed, ${refused} writes refused, writes ${longestMs} ms after it was back`,
    figures: { rounds, ...seen },
    isMet: lost === 0 && failedReads === 0 && acknowledged > 50 && isInTime(run, longestMs, 5_000),
  }
}

export const postgresRestart: Scenario = {
  name: 'postgres-restart',
  title: 'after restarts of PostgreSQL, clean and by kill -9, everything acknowledged is there, and no read fails',
  required: '0 lost, 0 doubled, 0 failed reads, writes within 5 000 ms',
  obstacle: postgresObstacle,
  measure,
  control: {
    what: 'a client that acknowledges before it writes',
    async run() {
      const { lost, acknowledged } = await restartUnderLoad({
        rounds: 2,
        acknowledgesEarly: true,
        patienceMs: 50,
        awayMs: 500,
      })
      return { figure: `${lost} lost of ${grouped(acknowledged)}`, isCaught: lost > 0 }
    },
  },
}
