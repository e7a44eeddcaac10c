/** A primary dies and its standby takes over. With a synchronous standby nothing is lost, also when it had stalled. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../src/store/index.ts'
import { openPostgres } from '../../src/store/postgres/index.ts'
import { accounts, countLost, keepWriting, newHistory } from '../../test/support/accounts.ts'
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts'
import { grouped, isInTime, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { postgresObstacle } from './restart.ts'

const WRITERS = 16
const PATIENCE_MS = 60_000

export interface Pair {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
}

/** A primary with a standby that follows it; both are removed with the stack. */
export async function startPair(cleanUp: AsyncDisposableStack): Promise<Pair> {
  const primary = await startPostgres()
  cleanUp.defer(() => primary.remove())
  const standby = await primary.standby('second')
  cleanUp.defer(() => standby.remove())
  return { primary, standby }
}

/** Both hosts in one URL, the standby first: it has to be passed over. */
export function urlOfPair({ primary, standby }: Pair): string {
  return `${primary.url().replace('@', `@127.0.0.1:${standby.port},`)}?target_session_attrs=read-write`
}

interface FailoverOptions {
  readonly isSynchronous: boolean
  /** The standby stops following before the primary dies. */
  readonly isStalled: boolean
}

interface Seen {
  readonly lost: number
  readonly acknowledged: number
  /** From the promotion to the next acknowledged write. */
  readonly resumedMs: number
}

/** It stops following. Killing its receiver instead would restart the whole standby, and a restart forgets a promotion. */
async function stall({ standby }: Pair): Promise<void> {
  await standby.configure(`primary_conninfo = ''`)
  while (standby.processes('walreceiver').length > 0) await sleep(5)
  await sleep(300)
}

/** Writes, kills the primary, promotes the standby, writes on, and counts what is missing. */
async function failOver({ isSynchronous, isStalled }: FailoverOptions): Promise<Seen> {
  await using cleanUp = new AsyncDisposableStack()
  const pair = await startPair(cleanUp)
  if (isSynchronous) await pair.primary.configure(`synchronous_standby_names = 'second'`)
  const store = await openStore(await openPostgres({ url: urlOfPair(pair) }), [accounts])
  cleanUp.defer(() => store.close())
  const history = newHistory()
  let isOver = false
  cleanUp.defer(() => {
    isOver = true
  })
  const writers = Array.from({ length: WRITERS }, () => keepWriting(store, history, () => isOver))
  await sleep(300)
  if (isStalled) await stall(pair)
  await pair.primary.kill()
  await pair.standby.promote()
  const [before, promotedAt] = [history.acknowledged.size, performance.now()]
  let resumedMs = 0
  while (history.acknowledged.size < before + 50) {
    if (performance.now() > promotedAt + PATIENCE_MS) throw new Error('writes did not resume after the promotion')
    if (resumedMs === 0 && history.acknowledged.size > before) resumedMs = performance.now() - promotedAt
    await sleep(5)
  }
  isOver = true
  await Promise.all(writers)
  return { lost: await countLost(store, history), acknowledged: history.acknowledged.size, resumedMs }
}

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 2, 20)
  const seen: Seen[] = []
  for (let round = 0; round < rounds; round++) {
    seen.push(await failOver({ isSynchronous: true, isStalled: round % 2 === 1 }))
    run.say(
      `failover ${round + 1} of ${rounds}: ${seen.at(-1)?.lost} lost, writes after ${seen.at(-1)?.resumedMs.toFixed(0)} ms`,
    )
  }
  const lost = seen.reduce((sum, one) => sum + one.lost, 0)
  const acknowledged = seen.reduce((sum, one) => sum + one.acknowledged, 0)
  const resumedMs = Math.round(Math.max(...seen.map((one) => one.resumedMs)))
  return {
    done: `primary killed and synchronous standby promoted, ${rounds} ×, every second time a stalled one`,
    figure: `${lost} lost of ${grouped(acknowledged)} acknowledged writes, the next one at most ${resumedMs} ms after the promotion`,
    figures: { rounds, lost, acknowledged, resumedMs },
    isMet: lost === 0 && acknowledged > 50 * rounds && isInTime(run, resumedMs, 5_000),
  }
}

export const failover: Scenario = {
  name: 'failover',
  title: 'with a synchronous standby no acknowledged write is lost when the primary is killed',
  required: '0 lost, the next write within 5 000 ms',
  obstacle: postgresObstacle,
  measure,
  control: {
    what: 'an asynchronous standby that stalled',
    async run() {
      const { lost, acknowledged } = await failOver({ isSynchronous: false, isStalled: true })
      return { figure: `${grouped(lost)} lost of ${grouped(acknowledged)}`, isCaught: lost > 0 }
    },
  },
}
