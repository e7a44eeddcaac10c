/**
 * `signet bench`: measures a running server as a client of its API. Every caller waits for an answer before it asks
 * again, so the rate is what the server does for that many callers at once. It changes nothing without `--write`.
 */
import { randomBytes } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { Config } from '../../config/index.ts'
import { CannotCall, isUnprotected, readTarget, type ServerTarget, type TargetFlags } from '../server-target.ts'

/** What was measured for one kind of request. */
export interface BenchRow {
  readonly name: string
  /** Good answers in a second. */
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly answered: number
  /** Refused because the server was busy: 429. */
  readonly refused: number
  readonly failed: number
}

export interface BenchResult {
  readonly url: string
  readonly callers: number
  readonly seconds: number
  readonly rows: readonly BenchRow[]
}

export interface BenchOptions {
  readonly config: Config
  readonly target: TargetFlags
  readonly seconds: number
  readonly callers: number
  readonly mayWrite: boolean
  report(row: BenchRow): void
  complain(line: string): void
}

interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

interface Answer {
  readonly status: number
  readonly body: string
}

/** A client with as many connections as callers. */
class Client {
  readonly #target: ServerTarget
  readonly #agent: http.Agent
  readonly #request: typeof http.request

  constructor(target: ServerTarget, connections: number) {
    this.#target = target
    const library = target.url.startsWith('https:') ? https : http
    this.#agent = new library.Agent({ keepAlive: true, maxSockets: connections })
    this.#request = library.request
  }

  ask({ method, path, body }: Request): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers: Record<string, string | number> = { authorization: `Bearer ${this.#target.token}` }
    if (text !== undefined) {
      headers['content-type'] = 'application/json'
      headers['content-length'] = Buffer.byteLength(text)
    }
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: this.#agent, timeout: 30_000 }
      const request = this.#request(new URL(path, this.#target.url), options, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString('utf8') }),
        )
        response.on('error', reject)
      })
      request.on('timeout', () => request.destroy(new Error('no answer within 30 seconds')))
      request.on('error', reject)
      request.end(text)
    })
  }

  /** The body of a good answer; throws otherwise. */
  async call<Value>(request: Request): Promise<Value> {
    const { status, body } = await this.ask(request).catch((error: Error) => {
      throw new CannotCall(`The server at ${this.#target.url} cannot be reached: ${error.message}`)
    })
    if (status < 300) return JSON.parse(body) as Value
    throw new CannotCall(`The server refused ${request.method} ${request.path} with ${status}: ${messageOf(body)}`)
  }

  close(): void {
    this.#agent.destroy()
  }
}

function messageOf(body: string): string {
  try {
    return (JSON.parse(body) as { readonly message?: string }).message ?? body
  } catch {
    return body.slice(0, 200)
  }
}

/** The value below which `share` of the samples lie. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function measure(
  client: Client,
  name: string,
  request: Request,
  { seconds, callers }: Pick<BenchOptions, 'seconds' | 'callers'>,
): Promise<BenchRow> {
  const latencies: number[] = []
  let refused = 0
  let failed = 0
  const began = performance.now()
  const end = began + seconds * 1000
  const caller = async () => {
    while (performance.now() < end) {
      const sentAt = performance.now()
      const status = await client.ask(request).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status >= 200 && status < 300) latencies.push(performance.now() - sentAt)
      else if (status === 429) refused++
      else failed++
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const elapsed = (performance.now() - began) / 1000
  latencies.sort((a, b) => a - b)
  const [p50Ms, p95Ms, p99Ms] = [0.5, 0.95, 0.99].map((share) => round(percentile(latencies, share)))
  return {
    name,
    perSecond: round(latencies.length / elapsed),
    p50Ms: p50Ms ?? 0,
    p95Ms: p95Ms ?? 0,
    p99Ms: p99Ms ?? 0,
    answered: latencies.length,
    refused,
    failed,
  }
}

function round(number: number): number {
  return Math.round(number * 100) / 100
}

/** A user with a password that only this process knows. */
async function addUser(client: Client): Promise<{ readonly userId: string; readonly password: string }> {
  const name = `signet-bench-${randomBytes(6).toString('hex')}`
  const password = `${randomBytes(18).toString('base64url')}aA1!`
  const { userId } = await client.call<{ readonly userId: string }>({
    method: 'POST',
    path: '/v2/users/human',
    body: {
      username: name,
      profile: { firstName: 'Signet', lastName: 'Bench' },
      email: { email: `${name}@example.com`, isVerified: true },
      password: { password },
    },
  })
  return { userId, password }
}

const READS: readonly (readonly [name: string, Request])[] = [
  ['read own user', { method: 'GET', path: '/auth/v1/users/me' }],
  ['list 100 users', { method: 'POST', path: '/v2/users', body: { query: { limit: 100 } } }],
]

function writesOf(userId: string, password: string): readonly (readonly [name: string, Request])[] {
  const session = (checks: object): Request => ({ method: 'POST', path: '/v2/sessions', body: { checks } })
  return [
    ['create a session', session({ user: { userId } })],
    ['sign in with a password', session({ user: { userId }, password: { password } })],
  ]
}

/** Measures the server; a user that it created is removed whatever happens. */
export async function bench(options: BenchOptions): Promise<BenchResult> {
  const { config, seconds, callers, mayWrite, report, complain } = options
  const target = await readTarget(config, options.target)
  if (isUnprotected(target.url)) complain(`the connection to ${target.url} is not encrypted`)
  const client = new Client(target, callers)
  const rows: BenchRow[] = []
  const run = async (requests: readonly (readonly [name: string, Request])[]) => {
    for (const [name, request] of requests) {
      await client.call(request)
      const row = await measure(client, name, request, { seconds, callers })
      rows.push(row)
      report(row)
    }
  }
  try {
    await run(READS)
    if (mayWrite) {
      const { userId, password } = await addUser(client)
      try {
        await run(writesOf(userId, password))
      } finally {
        await client.call({ method: 'DELETE', path: `/v2/users/${userId}` })
      }
    }
  } finally {
    client.close()
  }
  return { url: target.url, callers, seconds, rows }
}
