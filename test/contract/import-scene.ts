/** A whole world behind a real port, for tests of `POST /v2/users/import`. */
import assert from 'node:assert/strict'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pace } from '../../src/http/import/import-places.ts'
import { importRoute } from '../../src/http/import/import-route.ts'
import type { Limits } from '../../src/http/port/limits.ts'
import { openPort } from '../../src/http/port/listener.ts'
import type { Fault } from '../../src/http/protocols/errors.ts'
import { openRouter } from '../../src/http/router.ts'
import { engines, type TestEngine } from '../support/engines.ts'
import { openWorld, type World } from '../support/world.ts'

export const [sqlite] = engines
assert.ok(sqlite)

export const BCRYPT = '$2y$12$hXUrnqdq1RIIYZ2HPytIIe5lXdIvbhqrTvdPsSF7o.jFh817Z6lwm'

export interface Result {
  readonly line: number
  readonly userId?: string
  readonly status: string
  readonly error?: {
    readonly code: number
    readonly id: string
    readonly violations?: readonly { readonly field: string }[]
  }
  readonly emailCode?: string
}

export interface Scene {
  readonly world: World
  readonly port: number
  readonly faults: Fault[]
  readonly finished: { readonly code: number; readonly protocol: string }[]
  close(): Promise<void>
  /** Imports a whole body. */
  send(body: string | Buffer, options?: SendOptions): Promise<{ status: number; text: string; results: Result[] }>
}

export interface SendOptions {
  readonly bearer?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
}

export async function openScene(
  test: TestContext,
  engine: TestEngine | undefined = sqlite,
  limits: Partial<Limits> = {},
  pace?: Pace,
): Promise<Scene> {
  const world = await openWorld({ engine })
  const { app, methods, authorize } = world
  const faults: Fault[] = []
  const finished: { code: number; protocol: string }[] = []
  const log = (fault: Fault) => void faults.push(fault)
  const streams = [importRoute({ app, methods, authorize, log, ...(pace && { pace }) })]
  const onFinish = (call: { code: number; protocol: string }) => finished.push(call)
  const router = openRouter({ methods, authorize, streams, log, onFinish })
  const port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, router, limits })
  const close = () => port.close({ graceMs: 5_000 })
  test.after(async () => {
    await port.close({ graceMs: 0 })
    await world.dispose()
  })
  const number = port.address.port
  return {
    world,
    port: number,
    faults,
    finished,
    close,
    async send(body, { bearer = world.owner.bearer, headers = {}, query = '' } = {}) {
      const answer = await fetch(`http://127.0.0.1:${number}/v2/users/import${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/x-ndjson', ...headers },
        body: typeof body === 'string' ? body : new Uint8Array(body),
      })
      const text = await answer.text()
      const results = answer.ok ? parseResults(text) : []
      return { status: answer.status, text, results }
    },
  }
}

export function parseResults(text: string): Result[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result)
}

export function person(name: string, more: object = {}): string {
  return JSON.stringify({
    userId: `id-${name}`,
    username: name,
    profile: { givenName: 'Given', familyName: 'Family' },
    email: { email: `${name}@example.com`, isVerified: true },
    ...more,
  })
}

export function people(count: number, prefix = 'p'): string[] {
  return Array.from({ length: count }, (_, index) => person(`${prefix}${index}`, { hashedPassword: { hash: BCRYPT } }))
}

export function outcome({ line, status, error }: Result) {
  return [line, error?.id ?? status]
}

/** A streaming upload that the test feeds by hand. */
export function openUpload({ port, world }: Scene, bearer = world.owner.bearer) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/x-ndjson' }
  const request: ClientRequest = requestHttp({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/v2/users/import',
    headers,
  })
  request.on('error', () => {})
  const state = { text: '', hasEnded: false, isClosed: false }
  request.on('close', () => {
    state.isClosed = true
  })
  const response = new Promise<IncomingMessage>((resolve) => {
    request.on('response', (answer) => {
      answer.on('error', () => {})
      answer.setEncoding('utf8').on('data', (piece: string) => {
        state.text += piece
      })
      answer.on('end', () => {
        state.hasEnded = true
      })
      resolve(answer)
    })
  })
  return {
    request,
    response,
    state,
    results: () => parseResults(state.text.slice(0, state.text.lastIndexOf('\n') + 1)),
  }
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5)
}
