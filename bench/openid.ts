/**
 * The OpenID endpoints at 64 callers: userinfo and introspection beside a bare JSON server, tokens of machines beside
 * plain `oidc-provider` in memory and beside plain signing, complete flows, and the same with 1,000 applications and many
 * live tokens. `npm run bench openid 1000000` chooses how many.
 */
import { CLIENT } from './bare-openid.ts'
import { type Server, startServer } from './child.ts'
import { type Load, median, percentile, sleep } from './load.ts'
import {
  addApplications,
  askIntrospection,
  askToken,
  askUserinfo,
  issueTokens,
  openScene,
  type Scene,
  scopeOf,
} from './openid-scene.ts'
import { perSecond, type Row } from './table.ts'
import { measure, ratioOf, type Speed } from './wire.ts'

const ROUNDS = 3
const SECONDS = 2
const APPLICATIONS = 1000
const WARM_UP_REQUESTS = 20_000
const WARM_UP_MS = 20_000
const FLOWS_AT_ONCE = 16
const FEW_TOKENS = 64

interface Pair {
  readonly ours: readonly Speed[]
  readonly other: readonly Speed[]
}

type Target = { readonly server: Pick<Server, 'port' | 'processorSeconds'>; readonly load: (port: number) => Load }

/** V8 compiles after so many requests, not after so much time; a server that runs for days has it behind itself. */
async function warmUp({ server, load }: Target): Promise<void> {
  const running = load(server.port)
  const until = performance.now() + WARM_UP_MS
  for (let answered = 0; answered < WARM_UP_REQUESTS && performance.now() < until; answered += running.take().ok) {
    await sleep(200)
  }
  running.stop()
}

/** Turn by turn, so that both see the same weather. */
async function compare(ours: Target, other: Target): Promise<Pair> {
  await warmUp(other)
  await warmUp(ours)
  const speeds: { readonly ours: Speed[]; readonly other: Speed[] } = { ours: [], other: [] }
  for (let round = 0; round < ROUNDS; round++) {
    speeds.other.push(await measure(other.server, other.load, SECONDS))
    speeds.ours.push(await measure(ours.server, ours.load, SECONDS))
  }
  return speeds
}

function rateOf(speeds: readonly Speed[]): number {
  return median(speeds.map((speed) => speed.perSecond))
}

function rowsOf(what: string, of: string, { ours, other }: Pair, aim?: string): Row[] {
  const latencies = ours.flatMap((speed) => speed.latencies)
  const share = (ratioOf(ours, other, (speed) => speed.perProcessorSecond) * 100).toFixed(0)
  return [
    { what: `${of}, beside ${what}`, figure: perSecond(rateOf(other)) },
    {
      what,
      figure: perSecond(rateOf(ours)),
      ratio: ratioOf(ours, other, (speed) => speed.perSecond),
      of,
      ...(aim && { aim }),
      note: `${share} % by processor time, p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms at 64 callers`,
    },
  ]
}

async function bareServer(form: string): Promise<Server> {
  return startServer(new URL('bare-openid.ts', import.meta.url), [form])
}

async function benchEndpoints(engine: string, scene: Scene): Promise<Row[]> {
  const [json, provider, sign] = [await bareServer('json'), await bareServer('provider'), await bareServer('sign')]
  const userinfo = askUserinfo(scene.userToken)
  const introspection = askIntrospection(scene.api, () => scene.userToken)
  const token = (client: Scene['machine']) => askToken(client, scopeOf(scene))
  const rows = [
    ...rowsOf(
      `userinfo, ${engine}`,
      'bare JSON',
      await compare({ server: scene, load: userinfo }, { server: json, load: userinfo }),
      '≥ 50 %',
    ),
    ...rowsOf(
      `introspection, ${engine}`,
      'bare JSON',
      await compare({ server: scene, load: introspection }, { server: json, load: introspection }),
      '≥ 50 %',
    ),
    ...rowsOf(
      `opaque token, client credentials, ${engine}`,
      'oidc-provider in memory',
      await compare(
        { server: scene, load: token(scene.machine) },
        { server: provider, load: askToken(CLIENT, 'openid') },
      ),
      '≥ 70 %',
    ),
  ]
  await scene.ask('delay')
  const signed = await compare(
    { server: scene, load: token(scene.signer) },
    { server: sign, load: token(scene.signer) },
  )
  const delay = Number(await scene.ask('delay'))
  rows.push(
    ...rowsOf(`RS256 token, client credentials, ${engine}`, 'plain signing', signed, '≥ 80 %'),
    { what: `event loop held up while signing, p99, ${engine}`, figure: `${delay.toFixed(1)} ms` },
    await benchFlows(engine, scene),
  )
  for (const server of [json, provider, sign]) await server.stop()
  return rows
}

async function benchFlows(engine: string, scene: Scene): Promise<Row> {
  const times: number[] = []
  const run = async (until: number) => {
    while (performance.now() < until) {
      const began = performance.now()
      await scene.flow()
      times.push(performance.now() - began)
    }
  }
  const runAll = (seconds: number) => {
    const until = performance.now() + seconds * 1000
    return Promise.all(Array.from({ length: FLOWS_AT_ONCE }, () => run(until)))
  }
  await runAll(3)
  times.length = 0
  const began = performance.now()
  await runAll(5)
  const rate = times.length / ((performance.now() - began) / 1000)
  const note = `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms at ${FLOWS_AT_ONCE} callers`
  return { what: `complete flow, authorize to token, ${engine}`, figure: perSecond(rate), note }
}

/** Requests per second among many tokens and applications, beside a server that has next to none. */
async function benchMany(count: number): Promise<Row[]> {
  const [few, many] = [await openScene(), await openScene()]
  await addApplications(many, APPLICATIONS)
  const tokens = { few: await issueTokens(few, FEW_TOKENS), many: await issueTokens(many, count) }
  const any = (list: readonly string[]) => () => list[Math.floor(Math.random() * list.length)] ?? ''
  const among = `among ${count.toLocaleString('en-US')} tokens and ${APPLICATIONS.toLocaleString('en-US')} applications`
  const of = 'next to none'
  const introspected = await compare(
    { server: many, load: askIntrospection(many.api, any(tokens.many)) },
    { server: few, load: askIntrospection(few.api, any(tokens.few)) },
  )
  const issued = await compare(
    { server: many, load: askToken(many.machine, scopeOf(many)) },
    { server: few, load: askToken(few.machine, scopeOf(few)) },
  )
  for (const scene of [few, many]) await scene.stop()
  return [
    ...rowsOf(`introspection ${among}`, of, introspected, '≥ 83 %'),
    ...rowsOf(`opaque token ${among}`, of, issued, '≥ 83 %'),
  ]
}

/** The endpoints on one engine. */
export async function benchOpenId(engine: string, databaseUrl: string | undefined): Promise<Row[]> {
  const scene = await openScene(databaseUrl, [new URL('event-loop-delay.ts', import.meta.url)])
  const rows = await benchEndpoints(engine, scene)
  await scene.stop()
  return rows
}

/** Whether the size of the database matters; `count` is the number of live tokens. */
export async function benchOpenIdSize(count: number): Promise<Row[]> {
  return benchMany(count)
}
