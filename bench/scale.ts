/**
 * What more processes bring: one process on SQLite, two workers on SQLite, one node on PostgreSQL, and two nodes on one
 * PostgreSQL, in alternating rounds. Reads, sessions (one commit each) and sign-ins with a password (one hash and one
 * commit each).
 */
import { randomBytes } from 'node:crypto'
import type { Load, Taken } from './load.ts'
import { type Http1Request, loadHttp1 } from './load-http1.ts'
import { type Signet, startSignet, UNLIMITED } from './signet.ts'
import { bareRow, measureInTurn, speedRow, type Target } from './speed.ts'
import type { Row } from './table.ts'

const PLAN = { rounds: 16, seconds: 0.5, warmUpMs: 4_000 }
const PASSWORD = 'correct horse battery staple'

interface Call {
  readonly request: Http1Request
  readonly callers: number
}

/** Nodes that share a database. */
interface Setup {
  readonly name: string
  /** The name of the one it is compared with. */
  readonly of?: string
  readonly nodes: readonly Signet[]
}

async function addUser({ port, token }: Signet): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/v2/users/human`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      username: 'ada',
      profile: { firstName: 'Ada', lastName: 'Lovelace' },
      email: { email: 'ada@example.com', isVerified: true },
      password: { password: PASSWORD },
    }),
  })
  if (!answer.ok) throw new Error(`no user could be added: ${await answer.text()}`)
  return ((await answer.json()) as { readonly userId: string }).userId
}

function callsOf(token: string, userId: string): Readonly<Record<string, Call>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const create = (checks: object): Http1Request => {
    const body = Buffer.from(JSON.stringify({ checks }))
    return { method: 'POST', path: '/v2/sessions', headers, body: () => body }
  }
  const nothing = Buffer.alloc(0)
  const read: Http1Request = { method: 'GET', path: `/v2/users/${userId}`, headers, body: () => nothing }
  return {
    'read a user': { request: read, callers: 32 },
    'create a session': { request: create({ user: { userId } }), callers: 32 },
    // With more callers, hashes would wait too long and be refused.
    'sign in with a password': { request: create({ user: { userId }, password: { password: PASSWORD } }), callers: 4 },
  }
}

/** The callers are divided among the nodes. */
function targetOf(nodes: readonly Signet[], { request, callers }: Call): Target {
  return {
    server: {
      port: nodes[0]?.port ?? 0,
      processorSeconds: async () => {
        const used = await Promise.all(nodes.map((node) => node.processorSeconds()))
        return used.reduce((sum, seconds) => sum + seconds, 0)
      },
    },
    load: () => together(nodes.map(({ port }) => loadHttp1(port, request, callers / nodes.length))),
  }
}

function together(loads: readonly Load[]): Load {
  return {
    take: () =>
      loads
        .map((load): Taken => load.take())
        .reduce((sum, { ok, failed, latencies }) => ({
          ok: sum.ok + ok,
          failed: sum.failed + failed,
          latencies: [...sum.latencies, ...latencies],
        })),
    pause: () => {
      for (const load of loads) load.pause()
    },
    resume: () => {
      for (const load of loads) load.resume()
    },
    stop: () => {
      for (const load of loads) load.stop()
    },
  }
}

async function openSetups(databaseUrls: readonly [string, string] | undefined): Promise<readonly Setup[]> {
  const one = 'SQLite, one process'
  const workers = { ...UNLIMITED, SIGNET_WORKERS: '2' }
  const setups: Setup[] = [
    { name: one, nodes: [await startSignet(undefined, { environment: UNLIMITED })] },
    { name: 'SQLite, two workers', of: one, nodes: [await startSignet(undefined, { environment: workers })] },
  ]
  if (databaseUrls === undefined) return setups
  const [first, second] = databaseUrls
  const environment = { ...UNLIMITED, SIGNET_MASTER_KEY: randomBytes(32).toString('base64') }
  const node = await startSignet(second, { environment })
  const other = await startSignet(second, { environment, token: node.token })
  const name = 'PostgreSQL, one node'
  return [
    ...setups,
    { name, of: one, nodes: [await startSignet(first, { environment })] },
    { name: 'PostgreSQL, two nodes', of: name, nodes: [node, other] },
  ]
}

export async function benchScale(databaseUrls: readonly [string, string] | undefined): Promise<Row[]> {
  const setups = await openSetups(databaseUrls)
  const calls: Record<string, Readonly<Record<string, Call>>> = {}
  for (const { name, nodes } of setups) {
    const [first] = nodes
    if (first !== undefined) calls[name] = callsOf(first.token, await addUser(first))
  }
  const rows: Row[] = []
  for (const [what, { callers }] of Object.entries(Object.values(calls)[0] ?? {})) {
    const targets = setups.map(({ name, nodes }): [string, Target] => [
      name,
      targetOf(nodes, calls[name]?.[what] as Call),
    ])
    const speeds = await measureInTurn(Object.fromEntries(targets), PLAN)
    for (const { name, of } of setups) {
      const ours = speeds[name] ?? []
      const comparison = of === undefined ? undefined : { to: speeds[of] ?? [], of, callers }
      const title = `${what}: ${name}`
      rows.push(comparison === undefined ? bareRow(title, ours, callers) : speedRow(title, ours, comparison))
    }
  }
  for (const node of setups.flatMap(({ nodes }) => nodes)) await node.stop()
  return rows
}
