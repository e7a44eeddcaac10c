/**
 * What growth costs: the same calls over HTTP with 1,000 and with 1,000,000 users, sessions and tokens, on both engines in
 * alternating rounds. `npm run bench growth 20000` chooses how many.
 */
import { type FilledServer, type Sample, startFilled } from './filled-server.ts'
import { type Http1Request, loadHttp1 } from './load-http1.ts'
import { measureInTurn, rateOf, type Speed, speedRow, type Target } from './speed.ts'
import { perSecond, type Row } from './table.ts'

const FEW = 1_000
const MANY = 1_000_000
const CALLERS = 16
/** Few callers for lists, so that their latency is the time of a list and not of a queue. */
const CALLERS_OF_LISTS = 2
/** Some calls take a quarter of a second. */
const PLAN = { rounds: 6, seconds: 1, warmUpMs: 2_000 }

interface Call {
  readonly name: string
  readonly callers: number
  readonly isList?: boolean
  request(samples: readonly Sample[], adminToken: string): Http1Request
}

const NOTHING = Buffer.alloc(0)
const DAY_MS = 86_400_000

function any(samples: readonly Sample[]): Sample {
  return samples[Math.floor(Math.random() * samples.length)] as Sample
}

function get(name: string, path: (sample: Sample) => string): Call {
  return {
    name,
    callers: CALLERS,
    request: (samples, token) => ({
      method: 'GET',
      path: () => path(any(samples)),
      headers: { authorization: `Bearer ${token}` },
      body: () => NOTHING,
    }),
  }
}

type Body = (sample: Sample, samples: readonly Sample[]) => object

function post(name: string, path: string, body: Body): Call {
  return {
    name,
    callers: CALLERS,
    request: (samples, token) => ({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: () => Buffer.from(JSON.stringify(body(any(samples), samples))),
    }),
  }
}

function list(name: string, path: string, body: Body): Call {
  return { ...post(name, path, body), callers: CALLERS_OF_LISTS, isList: true }
}

/** When half of the sessions will have expired. */
function middleExpiration(samples: readonly Sample[]): string {
  const { createdAt } = samples[samples.length >> 1] as Sample
  return new Date(createdAt.getTime() + DAY_MS).toISOString()
}

const CALLS: readonly Call[] = [
  get('read a user', ({ userId }) => `/v2/users/${userId}`),
  get('read a session', ({ sessionId }) => `/v2/sessions/${sessionId}`),
  {
    name: 'authenticate with a token',
    callers: CALLERS,
    request: (samples) => ({
      method: 'GET',
      path: '/auth/v1/users/me',
      headers: {},
      authorization: () => `Bearer ${any(samples).token}`,
      body: () => NOTHING,
    }),
  },
  post('create a session', '/v2/sessions', ({ userId }) => ({ checks: { user: { userId } } })),
  list('first page of users', '/v2/users', () => ({ query: { limit: 100 } })),
  list('search a user by e-mail', '/v2/users', ({ email }) => ({
    queries: [{ emailQuery: { emailAddress: email } }],
  })),
  list('search part of a name', '/v2/users', ({ email }) => ({
    queries: [{ emailQuery: { emailAddress: email.slice(2, -14), method: 'TEXT_QUERY_METHOD_CONTAINS' } }],
  })),
  list('events since a time, oldest first', '/admin/v1/events/_search', ({ createdAt }) => ({
    asc: true,
    limit: 100,
    range: { since: createdAt.toISOString() },
  })),
  list('sessions that expire after a time', '/v2/sessions/search', (_, samples) => ({
    query: { limit: 100 },
    queries: [
      {
        expirationDateQuery: {
          expirationDate: middleExpiration(samples),
          method: 'TIMESTAMP_QUERY_METHOD_GREATER',
        },
      },
    ],
  })),
]

interface Filled extends FilledServer {
  readonly engine: string
  readonly count: number
}

function nameOf(engine: string, count: number): string {
  return `${engine}, ${count.toLocaleString('en-US')}`
}

/** The answers of a call must have something in them: a search that finds nothing is fast. */
async function check({ server, samples }: Filled, call: Call): Promise<void> {
  const { method, path, headers, authorization, body } = call.request(samples, server.token)
  const sent = { ...headers, ...(authorization && { authorization: authorization() }) }
  const address = `http://127.0.0.1:${server.port}${typeof path === 'string' ? path : path()}`
  const answer = await fetch(address, {
    method,
    headers: sent,
    ...(method === 'POST' && { body: Buffer.from(body()) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${call.name}: ${answer.status} ${text}`)
  const { result, sessions, events } = JSON.parse(text) as Readonly<Record<string, readonly unknown[] | undefined>>
  const found = result ?? sessions ?? events ?? []
  if (call.isList === true && found.length === 0) throw new Error(`${call.name}: nothing was found: ${text}`)
}

async function benchCall(call: Call, servers: readonly Filled[]): Promise<Row[]> {
  const targets: Record<string, Target> = {}
  for (const filled of servers) {
    await check(filled, call)
    const request = call.request(filled.samples, filled.server.token)
    const load = (port: number) => loadHttp1(port, request, call.callers)
    targets[nameOf(filled.engine, filled.count)] = { server: filled.server, load }
  }
  const speeds: Readonly<Record<string, readonly Speed[]>> = await measureInTurn(targets, PLAN)
  return servers
    .filter(({ count }) => count !== FEW)
    .map(({ engine, count }) => {
      const few = speeds[nameOf(engine, FEW)] ?? []
      const name = nameOf(engine, count)
      const comparison = { to: few, of: `with ${FEW.toLocaleString('en-US')}`, callers: call.callers }
      const row = speedRow(`${call.name}, ${name}`, speeds[name] ?? [], comparison)
      return { ...row, note: `${perSecond(rateOf(few))} with few, ${row.note}` }
    })
}

/** `databaseUrls` are of two empty databases. */
export async function benchGrowth(databaseUrls: readonly [string, string] | undefined, many = MANY): Promise<Row[]> {
  const servers: Filled[] = []
  const start = async (engine: string, url: string | undefined, count: number) => {
    servers.push({ engine, count, ...(await startFilled(url, count)) })
  }
  await start('SQLite', undefined, FEW)
  await start('SQLite', undefined, many)
  if (databaseUrls !== undefined) {
    await start('PostgreSQL', databaseUrls[0], FEW)
    await start('PostgreSQL', databaseUrls[1], many)
  }
  const rows: Row[] = []
  for (const call of CALLS) rows.push(...(await benchCall(call, servers)))
  for (const { engine, count, server, fillSeconds } of servers) {
    const few = servers.find((one) => one.engine === engine && one.count === FEW)
    if (few === undefined || count === FEW) continue
    rows.push({
      what: `time to ready, ${nameOf(engine, count)}`,
      figure: `${server.readyAfterMs.toFixed(0)} ms`,
      ratio: server.readyAfterMs / few.server.readyAfterMs,
      of: `with ${FEW.toLocaleString('en-US')}`,
      aim: '< 700 ms',
      note: `one start; filled in ${fillSeconds.toFixed(0)} s`,
    })
  }
  for (const { server } of servers) await server.stop()
  return rows
}
