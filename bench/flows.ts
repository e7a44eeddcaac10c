/** Complete flows of a user, many at once: how many are finished in a second, and how long each takes. */
import { median, percentile, spread } from './statistics.ts'
import { perSecond, type Row } from './table.ts'

const FLOWS_AT_ONCE = 16
const FLOW_SECONDS = 2
export const FLOW_ROUNDS = 3

export interface Flows {
  readonly perSecond: number
  readonly latencies: readonly number[]
}

export async function runFlows(flow: () => Promise<unknown>): Promise<Flows> {
  const latencies: number[] = []
  const began = performance.now()
  const until = began + FLOW_SECONDS * 1000
  const run = async () => {
    for (let asked = performance.now(); asked < until; asked = performance.now()) {
      await flow()
      latencies.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: FLOWS_AT_ONCE }, run))
  return { perSecond: latencies.length / ((performance.now() - began) / 1000), latencies }
}

export function flowRow(what: string, rounds: readonly Flows[]): Row {
  const rates = rounds.map((round) => round.perSecond)
  const times = rounds.flatMap(({ latencies }) => latencies)
  return {
    what,
    figure: perSecond(median(rates)),
    spread: spread(rates),
    note: `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms at ${FLOWS_AT_ONCE} callers`,
  }
}

/** How fast some flows are beside another, round by round. */
export function besideFlows(rounds: readonly Flows[], others: readonly Flows[]): number {
  return median(rounds.map((round, at) => round.perSecond / (others[at]?.perSecond ?? Number.NaN)))
}
