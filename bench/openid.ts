/**
 * The OpenID endpoints at 64 callers, on both engines in alternating rounds: userinfo and introspection beside a bare JSON
 * server, tokens of machines beside plain `oidc-provider` in memory and beside plain signing, and complete flows. A part of
 * its own: the same with 1,000 applications and many live tokens; `npm run bench openid-size 1000000` chooses how many.
 */
import { CLIENT } from './bare-openid.ts'
import { type Server, startServer } from './child.ts'
import { besideFlows, FLOW_ROUNDS, type Flows, flowRow, runFlows } from './flows.ts'
import type { Load } from './load.ts'
import {
  addApplications,
  askIntrospection,
  askToken,
  askUserinfo,
  FLOWS,
  type FlowName,
  issueTokens,
  openScene,
  type Scene,
  scopeOf,
} from './openid-scene.ts'
import { alternate } from './rounds.ts'
import { bareRow, measureInTurn, type Speed, speedRow, type Target } from './speed.ts'
import type { Row } from './table.ts'

const PLAN = { rounds: 12, seconds: 0.25, warmUpMs: 4_000 }
const CALLERS = 64
const APPLICATIONS = 1000
const TOKENS = 100_000
const FEW_TOKENS = 64

/** A server with its data, and the name of its engine. */
interface EngineScene {
  readonly engine: string
  readonly scene: Scene
}

interface Endpoint {
  readonly what: string
  /** The name of what it is compared with, and that. */
  readonly of: string
  readonly other: Target
  readonly aim: string
  load(scene: Scene): (port: number) => Load
}

/** All engines in turn with what they are compared with. */
async function compare(scenes: readonly EngineScene[], { what, of, other, aim, load }: Endpoint): Promise<Row[]> {
  const targets = scenes.map(({ engine, scene }): [string, Target] => [engine, { server: scene, load: load(scene) }])
  const speeds: Readonly<Record<string, readonly Speed[]>> = await measureInTurn(
    { other, ...Object.fromEntries(targets) },
    PLAN,
  )
  const to = speeds.other ?? []
  return [
    bareRow(`${of}, beside ${what}`, to, CALLERS),
    ...scenes.map(({ engine }) =>
      speedRow(`${what}, ${engine}`, speeds[engine] ?? [], { to, of, aim, callers: CALLERS }),
    ),
  ]
}

async function bareServer(form: string): Promise<Server> {
  return startServer(new URL('bare-openid.ts', import.meta.url), [form])
}

async function benchEndpoints(scenes: readonly EngineScene[]): Promise<Row[]> {
  const [json, provider, sign] = [await bareServer('json'), await bareServer('provider'), await bareServer('sign')]
  const [first] = scenes
  if (first === undefined) throw new Error('SQLite comes first')
  const userinfo = (scene: Scene) => askUserinfo(scene.userToken)
  const introspection = (scene: Scene) => askIntrospection(scene.api, () => scene.userToken)
  const opaque = (scene: Scene) => askToken(scene.machine, scopeOf(scene))
  const signed = (scene: Scene) => askToken(scene.signer, scopeOf(scene))
  const rows: Row[] = []
  const add = async (what: string, of: string, other: Target, aim: string, load: Endpoint['load']) =>
    rows.push(...(await compare(scenes, { what, of, other, aim, load })))
  await add('userinfo', 'bare JSON', { server: json, load: userinfo(first.scene) }, '≥ 50 %', userinfo)
  await add('introspection', 'bare JSON', { server: json, load: introspection(first.scene) }, '≥ 50 %', introspection)
  const forResource = (scene: Scene) => askIntrospection(scene.api, () => scene.resourceToken)
  const ofAgent = 'introspection, token for a resource of a client with a metadata document'
  await add(ofAgent, 'bare JSON', { server: json, load: forResource(first.scene) }, '', forResource)
  const plain = { server: provider, load: askToken(CLIENT, 'openid') }
  await add('opaque token, client credentials', 'oidc-provider in memory', plain, '≥ 70 %', opaque)
  for (const { scene } of scenes) await scene.ask('delay')
  const signing = { server: sign, load: signed(first.scene) }
  await add('RS256 token, client credentials', 'plain signing', signing, '≥ 80 %', signed)
  for (const { engine, scene } of scenes) {
    const delay = Number(await scene.ask('delay'))
    rows.push({ what: `event loop held up while signing, p99, ${engine}`, figure: `${delay.toFixed(1)} ms` })
  }
  for (const server of [json, provider, sign]) await server.stop()
  return [...rows, ...(await benchFlows(scenes))]
}

/** Complete flows, in turn: those with a resource have the plain one beside them. */
async function benchFlows(scenes: readonly EngineScene[]): Promise<Row[]> {
  const names = Object.keys(FLOWS) as FlowName[]
  const rows: Row[] = []
  for (const { engine, scene } of scenes) {
    for (const name of names) await runFlows(scene.flows[name])
    const contenders = names.map((name) => [name, () => runFlows(scene.flows[name])] as const)
    const flows: Readonly<Record<string, readonly Flows[]>> = await alternate(
      Object.fromEntries(contenders),
      FLOW_ROUNDS,
    )
    const plain = flows.plain ?? []
    for (const name of names) {
      const row = flowRow(`${FLOWS[name]}, ${engine}`, flows[name] ?? [])
      const ratio = besideFlows(flows[name] ?? [], plain)
      rows.push(name === 'plain' ? row : { ...row, ratio, of: `${FLOWS.plain}, ${engine}` })
    }
  }
  return rows
}

/** The endpoints on both engines. */
export async function benchOpenId(databaseUrl: string | undefined): Promise<Row[]> {
  const preload = [new URL('event-loop-delay.ts', import.meta.url)]
  const scenes: EngineScene[] = [{ engine: 'SQLite', scene: await openScene(undefined, preload) }]
  if (databaseUrl !== undefined) scenes.push({ engine: 'PostgreSQL', scene: await openScene(databaseUrl, preload) })
  const rows = await benchEndpoints(scenes)
  for (const { scene } of scenes) await scene.stop()
  return rows
}

/** Requests per second among many tokens and applications, beside a server that has next to none. */
export async function benchOpenIdSize(count = TOKENS): Promise<Row[]> {
  const [few, many] = [await openScene(), await openScene()]
  await addApplications(many, APPLICATIONS)
  const tokens = { few: await issueTokens(few, FEW_TOKENS), many: await issueTokens(many, count) }
  const any = (list: readonly string[]) => () => list[Math.floor(Math.random() * list.length)] ?? ''
  const among = `among ${count.toLocaleString('en-US')} tokens and ${APPLICATIONS.toLocaleString('en-US')} applications`
  const rows: Row[] = []
  const add = async (what: string, load: (scene: Scene, list: readonly string[]) => Target['load']) => {
    const other = { server: few, load: load(few, tokens.few) }
    const endpoint = { what: `${what} ${among}`, of: 'next to none', other, aim: '≥ 83 %' }
    const scenes = [{ engine: 'SQLite', scene: many }]
    rows.push(...(await compare(scenes, { ...endpoint, load: (scene) => load(scene, tokens.many) })))
  }
  await add('introspection', (scene, list) => askIntrospection(scene.api, any(list)))
  await add('opaque token', (scene) => askToken(scene.machine, scopeOf(scene)))
  for (const scene of [few, many]) await scene.stop()
  return rows
}
