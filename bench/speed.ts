/** How fast a server answers a load: measured in alternating rounds after a warm-up, and shown as rows. */
import { type Load, sleep } from './load.ts'
import { alternate } from './rounds.ts'
import { median, percentile, spread } from './statistics.ts'
import { perSecond, type Row } from './table.ts'

export interface Speed {
  readonly perSecond: number
  /** Requests for one second of processor time of the server. */
  readonly perProcessorSecond: number
  readonly latencies: readonly number[]
  /** Requests that were refused or failed. */
  readonly failed: number
}

/** A server and the load that it is measured with. */
export interface Target {
  readonly server: { readonly port: number; processorSeconds(): Promise<number> }
  load(port: number): Load
}

export interface Plan {
  readonly rounds: number
  /** Of each measurement. Short rounds, and many: the speed of a shared machine changes from second to second. */
  readonly seconds: number
  /** The most that the warm-up of each takes. */
  readonly warmUpMs?: number
}

/** Until as many requests are answered as are sent, and the processor's caches are filled. */
const SETTLE_MS = 60
/** Until the requests in flight are answered, so that the next one measured does not pay for them. */
const DRAIN_MS = 80
/** Until the connections are open. */
const OPEN_MS = 200
const WARM_UP_REQUESTS = 40_000
const WARM_UP_MS = 8_000

/** V8 compiles after a number of requests, not after a time; a server that runs for days has it behind itself. */
export async function warmUp({ server, load }: Target, most = WARM_UP_MS): Promise<void> {
  const running = load(server.port)
  const until = performance.now() + most
  for (let answered = 0; answered < WARM_UP_REQUESTS && performance.now() < until; answered += running.take().ok) {
    await sleep(100)
  }
  running.stop()
  await sleep(DRAIN_MS)
}

/** Starts a load that waits for its first round. Its connections stay open between rounds, as those of clients do. */
async function startPaused({ server, load }: Target): Promise<Load> {
  const running = load(server.port)
  await sleep(OPEN_MS)
  running.pause()
  await sleep(DRAIN_MS)
  return running
}

/** One round of a load against one server. */
async function measure({ server }: Target, load: Load, seconds: number): Promise<Speed> {
  load.resume()
  await sleep(SETTLE_MS)
  load.take()
  const processor = await server.processorSeconds()
  const began = performance.now()
  await sleep(seconds * 1000)
  const { ok, failed, latencies } = load.take()
  const elapsed = (performance.now() - began) / 1000
  const used = (await server.processorSeconds()) - processor
  load.pause()
  await sleep(DRAIN_MS)
  return { perSecond: ok / elapsed, perProcessorSecond: ok / used, latencies, failed }
}

/** Measures the targets in alternating rounds, after a warm-up of each. */
export async function measureInTurn<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  { rounds, seconds, warmUpMs }: Plan,
): Promise<Readonly<Record<Name, readonly Speed[]>>> {
  const list = Object.entries<Target>(targets)
  for (const [, target] of list) await warmUp(target, warmUpMs)
  const contenders: Record<string, () => Promise<Speed>> = {}
  const loads: Load[] = []
  for (const [name, target] of list) {
    const load = await startPaused(target)
    loads.push(load)
    contenders[name] = () => measure(target, load, seconds)
  }
  const speeds = await alternate(contenders, rounds)
  for (const load of loads) load.stop()
  return speeds as Record<Name, readonly Speed[]>
}

/** The median rate. */
export function rateOf(speeds: readonly Speed[]): number {
  return median(speeds.map((speed) => speed.perSecond))
}

/** Round by round, because neighbours in time share what else the machine was doing; then the median. */
export function ratioOf(ours: readonly Speed[], others: readonly Speed[], of: (speed: Speed) => number): number {
  return median(
    ours.map((speed, round) => {
      const other = others[round]
      return other === undefined ? Number.NaN : of(speed) / of(other)
    }),
  )
}

/** p50 and p99 of all rounds. */
export function latenciesOf(speeds: readonly Speed[]): string {
  const latencies = speeds.flatMap((speed) => speed.latencies)
  return `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms`
}

/** Requests that were refused or failed, of all rounds, for a note; nothing when there are none. */
export function failuresOf(speeds: readonly Speed[]): readonly string[] {
  const failed = speeds.reduce((sum, speed) => sum + speed.failed, 0)
  const all = speeds.reduce((sum, speed) => sum + speed.latencies.length, failed)
  return failed === 0 ? [] : [`${failed} of ${all} requests REFUSED or failed`]
}

/** The row of what others are compared with. */
export function bareRow(what: string, speeds: readonly Speed[], callers: number): Row {
  const note = [...failuresOf(speeds), `${latenciesOf(speeds)} at ${callers} callers`].join(', ')
  return { ...figureOf(speeds), what, isBare: true, note }
}

function figureOf(speeds: readonly Speed[]): Pick<Row, 'figure' | 'spread'> {
  const rates = speeds.map((speed) => speed.perSecond)
  return { figure: perSecond(median(rates)), spread: spread(rates) }
}

export interface Comparison {
  readonly to: readonly Speed[]
  readonly of: string
  readonly aim?: string | undefined
  readonly callers: number
}

/** The row of a speed beside another one of the same rounds. */
export function speedRow(what: string, speeds: readonly Speed[], { to, of, aim, callers }: Comparison): Row {
  const processor = ratioOf(speeds, to, (speed) => speed.perProcessorSecond)
  return {
    ...figureOf(speeds),
    what,
    ratio: ratioOf(speeds, to, (speed) => speed.perSecond),
    of,
    ...(aim !== undefined && { aim }),
    note: [
      ...failuresOf(speeds),
      `${(processor * 100).toFixed(0)} % by processor time`,
      `${latenciesOf(speeds)} at ${callers} callers`,
    ].join(', '),
  }
}
