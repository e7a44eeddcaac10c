/**
 * What placing instances on several PostgreSQL servers would do, simulated: `npm run bench placement 50000` chooses how many commits
 * a second. The basis is measured (docs/explanation/scale.md); the rest follows from the model, and nothing here is a
 * measurement of a server.
 */
import { type Placed, placeByRate, type Simulated, simulate, skewedRates } from './placement-model.ts'
import { percentile } from './statistics.ts'
import { perSecond, type Row } from './table.ts'

const COMMITS = 50_000
/** What is planned for one sequence at most. */
const MOST_OF_ONE = 2_000
const BASIS = { coresOfServer: 8, commitMs: 0.2, waitMs: 3, batch: 256, seconds: 4, seed: 1 }

const percent = (share: number) => `${(share * 100).toFixed(0)} %`
const sum = (values: readonly number[]) => values.reduce((before, value) => before + value, 0)

function run(instances: readonly Placed[], servers: number): Simulated {
  return simulate({ ...BASIS, instances, servers })
}

function rowOf(what: string, instances: readonly Placed[], servers: number): { row: Row; result: Simulated } {
  const result = run(instances, servers)
  const asked = sum(instances.map(({ rate }) => rate))
  const busiest = Math.max(...result.used)
  const ms = percentile([...result.latencies], 0.99)
  const figure = `p99 ${ms < 1_000 ? ms.toFixed(1) : ms.toFixed(0)} ms`
  const largest = Math.max(...instances.map(({ rate }) => rate))
  const note = `busiest server ${percent(busiest)}, largest instance ${perSecond(largest)}`
  return { row: { what, figure, ratio: result.rate / asked, of: `${perSecond(asked)} asked for`, note }, result }
}

/** One after the other, as a list of instances would be dealt out by somebody who does not know how busy they are. */
function dealOut(rates: readonly number[], servers: number): Placed[] {
  return rates.map((rate, index) => ({ rate, server: Math.floor((index * servers) / rates.length) }))
}

/** Eight servers lose one of them: its instances stand still until their server is back, or are served by the other seven. */
function loseOne(rates: readonly number[], servers: number): Row[] {
  const all = Array.from({ length: servers }, (_, server) => server)
  const placed = placeByRate(rates, all)
  const lost = placed.filter(({ server }) => server === 0)
  const rest = placed.filter(({ server }) => server !== 0)
  const share = sum(lost.map(({ rate }) => rate)) / sum(rates)
  const before = run(placed, servers)
  const during = rowOf(`${servers} servers, one lost: instances of the others`, rest, servers).row
  const moved = placeByRate(
    lost.map(({ rate }) => rate),
    all.slice(1),
    rest,
  )
  const after = rowOf(`${servers} servers, one lost: its instances moved to the others`, moved, servers).row
  const p99 = percentile([...before.latencies], 0.99).toFixed(1)
  return [
    { ...during, note: `${during.note}; p99 ${p99} ms before; ${percent(share)} of commits wait for the failover` },
    after,
  ]
}

/** The rows of the simulation. */
export function benchPlacement(commits = COMMITS): Row[] {
  const count = Math.ceil(((commits / MOST_OF_ONE) * 64) / 25)
  const rows: Row[] = []
  const add = (what: string, instances: readonly Placed[], servers: number) =>
    rows.push(rowOf(what, instances, servers).row)
  const servers = (n: number) => Array.from({ length: n }, (_, server) => server)
  const even = skewedRates(commits, count, 0)
  const skewed = skewedRates(commits, count, 1, MOST_OF_ONE)
  add('1 sequence', [{ server: 0, rate: commits }], 1)
  for (const n of [4, 8, 16]) add(`${count} even instances, ${n} servers`, placeByRate(even, servers(n)), n)
  add(`${count} skewed instances, 8 servers, placed by rate`, placeByRate(skewed, servers(8)), 8)
  add(`${count} skewed instances, 8 servers, dealt out`, dealOut(skewed, 8), 8)
  const uncapped = skewedRates(commits, count, 1)
  add(`${count} instances, one above its limit, 8 servers`, placeByRate(uncapped, servers(8)), 8)
  return [...rows, ...loseOne(skewed, 8)]
}
