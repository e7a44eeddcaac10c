/**
 * Overload: finds the capacity with a closed loop, then offers four times as much with an open loop. Four callers sign
 * users in and list users; one of them is greedy. The control is the same server without admission control. Before that,
 * callers who wait for each answer: see `overload-callers.ts`.
 */
import { sleep } from './load.ts'
import { loadHttp1 } from './load-http1.ts'
import { loadOpen, type OpenLoad, type OpenRequest, type Outcomes } from './load-open.ts'
import { benchClosedCallers } from './overload-callers.ts'
import { addAdministrator, post, type Signet, startSignet, UNLIMITED } from './signet.ts'
import { percentile } from './statistics.ts'
import { perSecond, type Row } from './table.ts'

const USERS = 200
const CLOSED_CALLERS = 16
const SECONDS = 10
/** An answer that comes later is of no use to its caller. */
const PATIENCE_MS = 1_000
/** Shares of the capacity that are offered: 4 in all. */
const OFFERED = { signIns: 0.5, modestLists: 0.1, greedyLists: 3.2 } as const
const MODEST_CALLERS = 3

interface Scene {
  readonly server: Signet
  /** Bearer tokens; the first caller is the greedy one. */
  readonly tokens: readonly string[]
  readonly userIds: readonly string[]
}

async function addUser(server: Signet, index: number): Promise<string> {
  const name = `user-${index}@example.com`
  const profile = { firstName: 'Ada', lastName: `Lovelace ${index}` }
  const body = { username: name, profile, email: { email: name, isVerified: true } }
  return (await post<{ readonly userId: string }>(server, '/v2/users/human', body)).userId
}

async function openScene(environment: Readonly<Record<string, string>>): Promise<Scene> {
  const server = await startSignet(undefined, { environment })
  const userIds: string[] = []
  for (let index = 0; index < USERS; index++) userIds.push(await addUser(server, index))
  const tokens: string[] = []
  for (let index = 0; index <= MODEST_CALLERS; index++) tokens.push(await addAdministrator(server, `caller-${index}`))
  return { server, tokens, userIds }
}

function requestWith(token: string, path: string, body: () => string): OpenRequest {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return { method: 'POST', path, headers, body }
}

function signIn(token: string, userIds: readonly string[]): OpenRequest {
  let turn = 0
  return requestWith(token, '/v2/sessions', () => {
    const userId = userIds[turn++ % userIds.length]
    return JSON.stringify({ checks: { user: { userId } } })
  })
}

function list(token: string): OpenRequest {
  return requestWith(token, '/v2/users', () => JSON.stringify({ query: { limit: 100 } }))
}

/** Answers to callers who wait for each answer: in a second, and in a second of the server's processor time. */
interface Rate {
  readonly perSecond: number
  readonly perProcessorSecond: number
}

async function closedRate({ server }: Scene, request: OpenRequest): Promise<Rate> {
  const { body } = request
  const load = loadHttp1(server.port, { ...request, body: () => Buffer.from(body()) }, CLOSED_CALLERS)
  await sleep(2_000)
  load.take()
  const processor = await server.processorSeconds()
  const began = performance.now()
  await sleep(4_000)
  const { ok } = load.take()
  const seconds = (performance.now() - began) / 1000
  const used = (await server.processorSeconds()) - processor
  load.stop()
  return { perSecond: ok / seconds, perProcessorSecond: ok / used }
}

interface Capacity {
  readonly signIns: Rate
  readonly lists: Rate
}

interface Run {
  readonly signIns: Outcomes
  readonly modest: Outcomes
  readonly greedy: Outcomes
  readonly health: Outcomes
  readonly mostMegabytes: number
  readonly seconds: number
  /** Of the server. */
  readonly processorSeconds: number
}

function startLoads({ server, tokens, userIds }: Scene, capacity: Capacity) {
  const { port } = server
  const [greedyToken = '', ...modestTokens] = tokens
  const open = (rate: number, request: OpenRequest) =>
    loadOpen({ port, perSecond: rate, patienceMs: PATIENCE_MS, request })
  const share = (part: number) => part / modestTokens.length
  return {
    signIns: modestTokens.map((token) =>
      open(share(OFFERED.signIns) * capacity.signIns.perSecond, signIn(token, userIds)),
    ),
    modest: modestTokens.map((token) => open(share(OFFERED.modestLists) * capacity.lists.perSecond, list(token))),
    greedy: [open(OFFERED.greedyLists * capacity.lists.perSecond, list(greedyToken))],
    health: [open(10, { method: 'GET', path: '/healthz', headers: {}, body: () => '' })],
  }
}

async function overload(scene: Scene, capacity: Capacity): Promise<Run> {
  const loads = startLoads(scene, capacity)
  let mostMegabytes = 0
  const watching = setInterval(async () => {
    mostMegabytes = Math.max(mostMegabytes, await scene.server.residentMegabytes())
  }, 500)
  await sleep(2_000)
  const all = Object.values(loads).flat()
  for (const load of all) load.take()
  const processor = await scene.server.processorSeconds()
  const began = performance.now()
  await sleep(SECONDS * 1000)
  const seconds = (performance.now() - began) / 1000
  const taken = (some: readonly OpenLoad[]) => sum(some.map((load) => load.take()))
  const run = {
    signIns: taken(loads.signIns),
    modest: taken(loads.modest),
    greedy: taken(loads.greedy),
    health: taken(loads.health),
    mostMegabytes,
    seconds,
    processorSeconds: (await scene.server.processorSeconds()) - processor,
  }
  for (const load of all) load.stop()
  clearInterval(watching)
  await sleep(PATIENCE_MS + 500)
  return run
}

function sum(many: readonly Outcomes[]): Outcomes {
  return {
    sent: many.reduce((total, { sent }) => total + sent, 0),
    good: many.flatMap(({ good }) => good),
    refused: many.flatMap(({ refused }) => refused),
    withoutRetryAfter: many.reduce((total, one) => total + one.withoutRetryAfter, 0),
    failed: many.reduce((total, { failed }) => total + failed, 0),
    late: many.reduce((total, { late }) => total + late, 0),
  }
}

function latencies(samples: readonly number[]): string {
  if (samples.length === 0) return 'none'
  return `p50 ${percentile(samples, 0.5).toFixed(1)} ms, p99 ${percentile(samples, 0.99).toFixed(1)} ms`
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(0)} %`
}

function rowsOf(name: string, run: Run, capacity: Capacity, isControl: boolean): Row[] {
  const { signIns, modest, greedy, health, seconds } = run
  const lists = modest.good.length + greedy.good.length
  // A list is more work than a sign-in: each counts by its part of the capacity.
  const goodput =
    signIns.good.length / seconds / capacity.signIns.perSecond + lists / seconds / capacity.lists.perSecond
  // What else the machine does cancels out here: the part of the processor time that went into good answers.
  const useful = signIns.good.length / capacity.signIns.perProcessorSecond + lists / capacity.lists.perProcessorSecond
  const all = sum([signIns, modest, greedy])
  const aim = (text: string) => (isControl ? {} : { aim: text })
  return [
    {
      what: `${name}: goodput at 4 × capacity`,
      figure: perSecond((signIns.good.length + lists) / seconds),
      ratio: goodput,
      of: 'capacity',
      ...aim('80 %'),
      note: `${percent(useful, run.processorSeconds)} by processor time; ${perSecond(all.sent / seconds)} offered; ${all.late} without answer in ${PATIENCE_MS / 1000} s, ${all.failed} failed; served ${latencies([...signIns.good, ...modest.good, ...greedy.good])}`,
    },
    {
      what: `${name}: refusals`,
      figure: perSecond(all.refused.length / seconds),
      note: `${latencies(all.refused)}; ${all.withoutRetryAfter} without Retry-After`,
    },
    {
      what: `${name}: health checks answered`,
      figure: percent(health.good.length, health.sent),
      ...aim('100 %'),
      note: latencies(health.good),
    },
    {
      what: `${name}: sign-ins served`,
      figure: percent(signIns.good.length, signIns.sent),
      note: `${latencies(signIns.good)}; lists served: ${percent(lists, modest.sent + greedy.sent)}`,
    },
    {
      what: `${name}: lists of ${MODEST_CALLERS} modest callers served`,
      figure: percent(modest.good.length, modest.sent),
      note: `of the greedy caller: ${percent(greedy.good.length, greedy.sent)}`,
    },
    { what: `${name}: memory at most`, figure: `${run.mostMegabytes.toFixed(0)} MB` },
  ]
}

/** On each engine, alone and while other programs use the processor. */
async function benchClosed(databaseUrls: readonly [string, string] | undefined): Promise<Row[]> {
  const rows: Row[] = []
  for (const urls of databaseUrls === undefined ? [undefined] : [undefined, databaseUrls]) {
    for (const busyLoops of [0, 2]) {
      const plan = { databaseUrls: urls, busyLoops, rounds: 5 }
      rows.push(...(await benchClosedCallers({ ...plan, call: 'create a session', callers: [64, 256, 600, 2_000] })))
      rows.push(...(await benchClosedCallers({ ...plan, call: 'list users', callers: [600] })))
    }
  }
  return rows
}

export async function benchOverload(databaseUrls: readonly [string, string] | undefined): Promise<Row[]> {
  return [...(await benchClosed(databaseUrls)), ...(await benchOpen())]
}

async function benchOpen(): Promise<Row[]> {
  const scene = await openScene({})
  const control = await openScene(UNLIMITED)
  const [token = ''] = scene.tokens
  const capacity: Capacity = {
    signIns: await closedRate(scene, signIn(token, scene.userIds)),
    lists: await closedRate(scene, list(token)),
  }
  const run = await overload(scene, capacity)
  const without = await overload(control, capacity)
  await scene.server.stop()
  await control.server.stop()
  return [
    { what: 'capacity, sign-ins alone (closed loop)', figure: perSecond(capacity.signIns.perSecond) },
    { what: 'capacity, lists of 100 users alone (closed loop)', figure: perSecond(capacity.lists.perSecond) },
    ...rowsOf('admission control', run, capacity, false),
    ...rowsOf('control, switched off', without, capacity, true),
  ]
}
