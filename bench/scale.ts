/**
 * What more processes bring: one node on SQLite, one node with two workers, one node on PostgreSQL, and two nodes on one
 * PostgreSQL. Reads, sessions (one commit each) and sign-ins with a password (one hash and one commit each).
 */
import { randomBytes } from 'node:crypto'
import { freshDatabase } from '../test/support/postgres.ts'
import { percentile, sleep } from './load.ts'
import { type Http1Request, loadHttp1 } from './load-http1.ts'
import { type Signet, startSignet } from './signet.ts'
import { perSecond, type Row } from './table.ts'

const CALLERS = 32
const SECONDS = 4
const PASSWORD = 'correct horse battery staple'

/** Load must not be refused here: it is the most that is looked for. */
const UNLIMITED = { SIGNET_OVERLOAD_TARGET: '0' }

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

function requestsOf(token: string, userId: string): readonly (readonly [name: string, Http1Request])[] {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const create = (checks: object): Http1Request => {
    const body = Buffer.from(JSON.stringify({ checks }))
    return { method: 'POST', path: '/v2/sessions', headers, body: () => body }
  }
  const nothing = Buffer.alloc(0)
  return [
    ['read a user', { method: 'GET', path: `/v2/users/${userId}`, headers, body: () => nothing }],
    ['create a session', create({ user: { userId } })],
    ['sign in with a password', create({ user: { userId }, password: { password: PASSWORD } })],
  ]
}

/** The callers are divided among the nodes. */
async function measure(nodes: readonly Signet[], request: Http1Request) {
  const loads = nodes.map(({ port }) => loadHttp1(port, request, CALLERS / nodes.length))
  await sleep(1_500)
  for (const load of loads) load.take()
  const began = performance.now()
  await sleep(SECONDS * 1000)
  const taken = loads.map((load) => load.take())
  const seconds = (performance.now() - began) / 1000
  for (const load of loads) load.stop()
  // The generator counts 201, a created session, as failed.
  const answered = taken.reduce((total, { ok, failed }) => total + ok + failed, 0)
  return { rate: answered / seconds, latencies: taken.flatMap(({ latencies }) => latencies) }
}

async function rowsOf(name: string, nodes: readonly Signet[]): Promise<Row[]> {
  const [first] = nodes
  if (first === undefined) return []
  const rows: Row[] = []
  for (const [what, request] of requestsOf(first.token, await addUser(first))) {
    const { rate, latencies } = await measure(nodes, request)
    const note = `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms`
    rows.push({ what: `${name}: ${what}`, figure: perSecond(rate), note })
  }
  for (const node of nodes) await node.stop()
  return rows
}

export async function benchScale(databaseUrl: string | undefined): Promise<Row[]> {
  const rows = await rowsOf('SQLite, one process', [await startSignet(undefined, { environment: UNLIMITED })])
  const workers = { ...UNLIMITED, SIGNET_WORKERS: '2' }
  rows.push(...(await rowsOf('SQLite, two workers', [await startSignet(undefined, { environment: workers })])))
  const second = await freshDatabase()
  if (databaseUrl === undefined || second === undefined) return rows
  const environment = { ...UNLIMITED, SIGNET_MASTER_KEY: randomBytes(32).toString('base64') }
  rows.push(...(await rowsOf('PostgreSQL, one node', [await startSignet(databaseUrl, { environment })])))
  const one = await startSignet(second.url, { environment })
  const other = await startSignet(second.url, { environment, token: one.token })
  rows.push(...(await rowsOf('PostgreSQL, two nodes', [one, other])))
  await second.drop()
  return rows
}
