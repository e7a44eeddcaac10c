/**
 * Callers who wait for each answer and ask again at once when they are refused, all of them with one token, as the
 * service behind a login page does. With protection they must get about as much done as without: the control is a
 * server with the same data and protection switched off, and all take turns in short rounds.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { sleep, type Taken } from './load.ts'
import { type Http1Load, type Http1Request, loadHttp1 } from './load-http1.ts'
import { alternate } from './rounds.ts'
import { post, type Signet, startSignet, UNLIMITED } from './signet.ts'
import { failuresOf, latenciesOf, rateOf, ratioOf, type Speed } from './speed.ts'
import { spread } from './statistics.ts'
import { perSecond, type Row } from './table.ts'

export interface ClosedCallersPlan {
  /** Undefined: SQLite. */
  readonly databaseUrls: readonly [string, string] | undefined
  readonly callers: readonly number[]
  readonly call: 'create a session' | 'list users'
  /** Processes that do nothing but use the processor. */
  readonly busyLoops: number
  readonly rounds: number
  /** Settings of the protected server. */
  readonly environment?: Readonly<Record<string, string>>
}

const USERS = 50
/** Until the queue is as long as it gets, and then as long as it takes to see what becomes of it. */
const SETTLE_MS = 500
const MEASURED_MS = 1_000
/** The most that either takes on a slow machine. */
const PATIENCE_MS = 5_000
const WARM_UP_MS = 4_000
const AIM = '≥ 85 %'
const SIDES = ['on', 'off'] as const

async function addUsers(server: Signet): Promise<readonly string[]> {
  const userIds: string[] = []
  for (let index = 0; index < USERS; index++) {
    const name = `user-${index}@example.com`
    const profile = { firstName: 'Ada', lastName: `Lovelace ${index}` }
    const body = { username: name, profile, email: { email: name, isVerified: true } }
    userIds.push((await post<{ readonly userId: string }>(server, '/v2/users/human', body)).userId)
  }
  return userIds
}

function requestOf(call: ClosedCallersPlan['call'], server: Signet, userIds: readonly string[]): Http1Request {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const bodies =
    call === 'create a session'
      ? userIds.map((userId) => Buffer.from(JSON.stringify({ checks: { user: { userId } } })))
      : [Buffer.from(JSON.stringify({ query: { limit: 5 } }))]
  let turn = 0
  const body = () => bodies[turn++ % bodies.length] as Buffer
  return { method: 'POST', path: call === 'create a session' ? '/v2/sessions' : '/v2/users', headers, body }
}

function startBusyLoops(count: number): readonly ChildProcess[] {
  return Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }))
}

/** What became of the requests of at least this time, and until this many were answered. */
async function answers(load: Http1Load, count: number, leastMs: number): Promise<Taken> {
  const began = performance.now()
  const all = { ok: 0, failed: 0, latencies: [] as number[] }
  for (;;) {
    await sleep(50)
    const { ok, failed, latencies } = load.take()
    all.ok += ok
    all.failed += failed
    for (const latency of latencies) all.latencies.push(latency)
    const elapsed = performance.now() - began
    if (elapsed >= PATIENCE_MS || (elapsed >= leastMs && all.ok + all.failed >= count)) return all
  }
}

/** One round; returns when every caller has its answer, so that the next contender does not pay for them. */
async function measure(server: Signet, load: Http1Load): Promise<Speed> {
  load.resume()
  await answers(load, load.connections, SETTLE_MS)
  const processor = await server.processorSeconds()
  const began = performance.now()
  const { ok, failed, latencies } = await answers(load, load.connections / 2, MEASURED_MS)
  const seconds = (performance.now() - began) / 1000
  const used = (await server.processorSeconds()) - processor
  load.pause()
  while (load.inFlight > 0) await sleep(20)
  return { perSecond: ok / seconds, perProcessorSecond: ok / used, latencies, failed }
}

interface Side {
  readonly server: Signet
  readonly request: Http1Request
}

async function openSide(plan: ClosedCallersPlan, side: (typeof SIDES)[number]): Promise<Side> {
  const environment = side === 'on' ? (plan.environment ?? {}) : UNLIMITED
  const server = await startSignet(plan.databaseUrls?.[side === 'on' ? 0 : 1], { environment })
  const request = requestOf(plan.call, server, await addUsers(server))
  const warming = loadHttp1(server.port, request, 64)
  await sleep(WARM_UP_MS)
  warming.stop()
  return { server, request }
}

async function measureAll(plan: ClosedCallersPlan): Promise<Readonly<Record<string, readonly Speed[]>>> {
  const sides = { on: await openSide(plan, 'on'), off: await openSide(plan, 'off') }
  const loads: Http1Load[] = []
  const contenders: Record<string, () => Promise<Speed>> = {}
  for (const callers of plan.callers) {
    for (const side of SIDES) {
      const { server, request } = sides[side]
      const load = loadHttp1(server.port, request, callers)
      load.pause()
      while (load.inFlight > 0) await sleep(20)
      loads.push(load)
      contenders[`${side} ${callers}`] = () => measure(server, load)
    }
  }
  const loops = startBusyLoops(plan.busyLoops)
  try {
    return await alternate(contenders, plan.rounds)
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
    for (const load of loads) load.stop()
    for (const side of SIDES) await sides[side].server.stop()
  }
}

/** Rows for each number of callers, beside the number with which the unprotected server did the most. */
export async function benchClosedCallers(plan: ClosedCallersPlan): Promise<Row[]> {
  const speeds = await measureAll(plan)
  const of = (side: (typeof SIDES)[number], callers: number) => speeds[`${side} ${callers}`] ?? []
  const best = plan.callers.reduce((a, b) => (rateOf(of('off', b)) > rateOf(of('off', a)) ? b : a))
  const where = `${plan.databaseUrls === undefined ? 'SQLite' : 'PostgreSQL'}${plan.busyLoops > 0 ? `, beside ${plan.busyLoops} busy loops` : ''}`
  return plan.callers.map((callers) => {
    const on = of('on', callers)
    const off = of('off', callers)
    const ratios = on.map((speed, round) => speed.perSecond / (of('off', best)[round]?.perSecond ?? Number.NaN))
    const percent = (share: number) => `${(share * 100).toFixed(0)} %`
    const same = ratioOf(on, off, (speed) => speed.perSecond)
    const processor = ratioOf(on, off, (speed) => speed.perProcessorSecond)
    const note = [
      ...failuresOf(on),
      `${percent(same)} of ${perSecond(rateOf(off))} with as many callers, ${percent(processor)} by processor time`,
      `${latenciesOf(on)}; off: ${latenciesOf(off)}`,
    ]
    return {
      what: `${plan.call}, ${where}, ${callers} callers`,
      figure: perSecond(rateOf(on)),
      ratio: ratioOf(on, of('off', best), (speed) => speed.perSecond),
      of: `off, ${best} callers`,
      aim: AIM,
      spread: spread(ratios),
      note: note.join('; '),
    }
  })
}
