/**
 * Half-open connections: a firewall or a dead machine swallows everything, and neither side learns of it. Calls end within
 * a bounded time, new connections take over, and nothing acknowledged is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, countLost, keepWriting, newHistory } from '../../test/support/accounts.ts'
import { freshDatabase } from '../../test/support/postgres.ts'
import { type LossyProxy, startProxy } from '../../test/support/tcp-proxy.ts'
import { type Caught, grouped, isInTime, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { postgresObstacle } from './restart.ts'

const WRITERS = 8
/** The client gives a statement up two seconds after the server would have. */
const STATEMENT_MS = 1_000
const BOUND_MS = 10_000

async function openThroughProxy(cleanUp: AsyncDisposableStack): Promise<{ proxy: LossyProxy; url: string }> {
  const database = await freshDatabase()
  if (database === undefined) throw new Error('PostgreSQL was there a moment ago')
  cleanUp.defer(() => database.drop())
  const url = new URL(database.url)
  const proxy = await startProxy(Number(url.port))
  cleanUp.defer(() => proxy.close())
  url.port = String(proxy.port)
  return { proxy, url: url.href }
}

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 1, 10)
  await using cleanUp = new AsyncDisposableStack()
  const { proxy, url } = await openThroughProxy(cleanUp)
  const engine = await openPostgres({ url, statementTimeoutMs: STATEMENT_MS })
  const store = await openStore(engine, [accounts])
  cleanUp.defer(() => store.close())
  const history = newHistory()
  let isOver = false
  cleanUp.defer(() => {
    isOver = true
  })
  const writers = Array.from({ length: WRITERS }, () => keepWriting(store, history, () => isOver))
  let silenced = 0
  let longestMs = 0
  for (let round = 0; round < rounds; round++) {
    const before = history.acknowledged.size
    while (history.acknowledged.size < before + 20) await sleep(5)
    silenced += proxy.silence()
    const [known, cutAt] = [history.acknowledged.size, performance.now()]
    // One that was on its way may still arrive.
    while (history.acknowledged.size <= known + WRITERS) await sleep(5)
    longestMs = Math.max(longestMs, performance.now() - cutAt)
  }
  isOver = true
  await Promise.all(writers)
  const lost = await countLost(store, history)
  const figures = { rounds, silenced, acknowledged: history.acknowledged.size, refused: history.unknown.size, lost }
  return {
    done: `connections to PostgreSQL that fall silent under load, ${rounds} ×, ${silenced} connections`,
    figure: `${lost} lost of ${grouped(figures.acknowledged)}, ${figures.refused} refused as unavailable, writes again after at most ${longestMs.toFixed(0)} ms`,
    figures: { ...figures, longestMs: Math.round(longestMs) },
    isMet: lost === 0 && silenced > 0 && isInTime(run, longestMs, BOUND_MS),
  }
}

/** A connection without time limits waits as long as it is let. */
async function waitWithoutLimit(run: Run): Promise<Caught> {
  const longestMs = run.isShort ? STATEMENT_MS * 3 : BOUND_MS
  await using cleanUp = new AsyncDisposableStack()
  const { proxy, url } = await openThroughProxy(cleanUp)
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  proxy.silence()
  const answer = client.query('select 1').then(
    () => 'answered',
    () => 'failed',
  )
  const heard = await Promise.race([answer, sleep(longestMs, 'nothing')])
  client.connection.stream.destroy()
  await answer
  return { figure: `${heard} within ${grouped(longestMs)} ms`, isCaught: heard === 'nothing' }
}

export const halfOpen: Scenario = {
  name: 'half-open',
  title: 'connections to PostgreSQL that fall silent are given up in time, and nothing acknowledged is lost',
  required: `0 lost, 0 doubled, writes within ${grouped(BOUND_MS)} ms (statement time limit ${grouped(STATEMENT_MS)} ms)`,
  obstacle: postgresObstacle,
  measure,
  control: { what: 'a connection without time limits', run: waitWithoutLimit },
}
