/** How far destinations are behind: how old the oldest event or call is that one of them should have and has not. */
import { type Instant, instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { LEASE_MS } from './jobs.ts'
import { FAILING, HELD, ORDER, orderIds, QUEUE, refOf, WORKING } from './names.ts'
import type { CallOrder } from './orders.ts'
import { type QueueState, queueState } from './queue-state.ts'

/** How many queues of each kind are looked at, and of how many the lag is told: more series would help nobody. */
const MOST_READ = 1_000
export const MOST_SHOWN = 10

interface Queue {
  readonly id: string
  readonly state: QueueState
}

async function queuesOf({ store }: App, kind: string, dueUntil?: number): Promise<readonly Queue[]> {
  const rows = await store.jobs.list({ kind, limit: MOST_READ })
  return rows
    .filter(({ dueAt }) => dueUntil === undefined || dueAt <= dueUntil)
    .map(({ id, data }) => ({ id, state: queueState(data) }))
}

/** The queues whose destinations do not work. */
async function inTrouble(app: App): Promise<readonly Queue[]> {
  return (await Promise.all([FAILING, HELD].map((kind) => queuesOf(app, kind)))).flat()
}

/** For how long the destination that has failed for longest has failed, in seconds. */
export async function longestFailure(app: App): Promise<number> {
  const since = (await inTrouble(app)).flatMap(({ state }) => state.failing?.since ?? [])
  return since.length === 0 ? 0 : Math.max(0, (app.clock() - Math.min(...since)) / 1000)
}

/** When the oldest happened that waits in a queue; undefined: nothing does. */
async function oldestIn(app: App, { id, state }: Queue): Promise<Instant | undefined> {
  const { store, destinations } = app
  const ref = refOf(id)
  const destination = await destinations.find(({ name }) => name === ref.kind)?.find(app, ref.id)
  if (destination === undefined || !destination.isActive) return undefined
  const [order] = await store.jobs.list({ kind: ORDER, ...orderIds(ref), limit: 1 })
  const { matches, ...query } = destination.wants ?? {}
  const from = Math.max(state.cursor ?? 0, destination.since)
  const events = destination.wants === undefined ? [] : await store.events({ ...query, from, limit: 1 })
  const times = [
    ...events.filter((event) => matches?.(event) ?? true).map(({ at }) => at),
    ...state.deferred.flatMap(({ since }) => since ?? []),
    ...(order === undefined ? [] : [(order.data as Partial<CallOrder>).at ?? []].flat()),
  ]
  return times.length === 0 ? undefined : instant(Math.min(...times))
}

/** The lag of those destinations that are furthest behind, in seconds, by `webhook:<id>` and `target:<id>`. */
export async function worstLags(app: App): Promise<Readonly<Record<string, number>>> {
  const now = app.clock()
  // A queue that is not due has nothing to send, or waits for an event that was refused.
  const working = (await Promise.all(WORKING.map((lane) => queuesOf(app, lane, now + LEASE_MS)))).flat()
  const candidates = [...working, ...(await inTrouble(app))]
    .sort((one, other) => (one.state.cursor ?? 0) - (other.state.cursor ?? 0))
    .slice(0, 2 * MOST_SHOWN)
  const lags: (readonly [string, number])[] = []
  for (const queue of candidates) {
    const oldest = await oldestIn(app, queue)
    if (oldest !== undefined) lags.push([queue.id.slice(QUEUE.length + 1), Math.max(0, (now - oldest) / 1000)])
  }
  return Object.fromEntries(lags.sort(([, one], [, other]) => other - one).slice(0, MOST_SHOWN))
}
