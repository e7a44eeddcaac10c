/** What a load balancer hears from the real server over gRPC, while it is well, without its store, and while it stops. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { create, enumToJson, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Client, credentials, type ServiceError } from '@grpc/grpc-js'
import {
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatusSchema,
  HealthCheckResponseSchema,
} from '../../contract/gen/grpc/health/v1/health_pb.ts'
import { freshDatabase } from '../support/postgres.ts'
import { type Running, runServer } from './run-server.ts'

const patient = { timeout: 600_000 }

const NOT_FOUND = 5
const UNIMPLEMENTED = 12
const UNAVAILABLE = 14

/** Asks as gRPC probes do, without a token: the name of the status, or the code of the refusal. */
function openProbe(url: string) {
  const client = new Client(new URL(url).host, credentials.createInsecure())
  const write = (name: string) =>
    Buffer.from(toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema, { service: name })))
  const read = (bytes: Buffer) =>
    String(enumToJson(HealthCheckResponse_ServingStatusSchema, fromBinary(HealthCheckResponseSchema, bytes).status))
  const ask = (service: string, method = 'Check') =>
    new Promise<string | number>((resolve) => {
      client.makeUnaryRequest(
        `/grpc.health.v1.Health/${method}`,
        write,
        read,
        service,
        (error: ServiceError | null, status) => resolve(error?.code ?? status ?? ''),
      )
    })
  /** Every status that is told, then the code with which the stream ended. */
  const watch = (service: string) => {
    const stream = client.makeServerStreamRequest('/grpc.health.v1.Health/Watch', write, read, service)
    const told: (string | number)[] = []
    const first = new Promise<void>((resolve) => {
      stream.on('data', (status: string) => {
        told.push(status)
        resolve()
      })
    })
    const all = new Promise<readonly (string | number)[]>((resolve) => {
      stream.on('error', () => {})
      stream.on('status', ({ code }) => resolve([...told, code]))
    })
    return { first, all }
  }
  return { ask, watch, close: () => client.close() }
}

async function stop({ child, ended }: Running) {
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
}

suite('the health service', () => {
  test('knows the server and its services by all their names, and says when it is about to stop', patient, async () => {
    const server = await runServer('main', ['start'], { SIGNET_SHUTDOWN_DELAY: '3' })
    const url = await server.url
    const { ask, watch, close } = openProbe(url)
    const names = ['', 'grpc.health.v1.Health', 'signet.user.v2.UserService', 'zitadel.user.v2beta.UserService']
    for (const name of names) assert.equal(await ask(name), 'SERVING', name)
    assert.equal(await ask('signet.user.v2.NoSuchService'), NOT_FOUND)
    assert.equal(await ask('', 'Wait'), UNIMPLEMENTED)
    const watched = watch('')
    await watched.first
    const connect = await fetch(`${url}/grpc.health.v1.Health/Check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    assert.deepEqual(await connect.json(), { status: 'SERVING' })

    server.child.kill('SIGTERM')
    while ((await fetch(`${url}/readyz`)).status !== 503) await sleep(20)
    assert.equal(await ask(''), 'NOT_SERVING')
    // The stream ends by itself, or the server could not stop.
    assert.deepEqual(await watched.all, ['SERVING', 'NOT_SERVING', UNAVAILABLE])
    close()
    assert.equal(await server.ended, 0)
  })

  test(
    'sends no request to a server whose database is gone, whose endpoints and pages answer 503',
    patient,
    async (t) => {
      const database = await freshDatabase()
      if (database === undefined) return t.skip('there is no PostgreSQL on this machine')
      const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
      const server = await runServer('main', ['start'], { SIGNET_DATABASE_URL: database.url, SIGNET_MASTER_KEY: key })
      const url = await server.url
      const { ask, close } = openProbe(url)
      assert.equal(await ask(''), 'SERVING')
      await database.drop()
      assert.equal(await ask(''), 'NOT_SERVING')
      assert.equal(await ask('signet.user.v2.UserService'), 'NOT_SERVING')
      const bearer = { authorization: `Bearer signet_at_${'A'.repeat(64)}` }
      const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) })
      const code = { grant_type: 'authorization_code', client_id: '1@x', code: 'x', redirect_uri: 'https://a.example' }
      const machine = { grant_type: 'client_credentials', client_id: 'm', client_secret: 's' }
      const asked: readonly (readonly [string, RequestInit?])[] = [
        ['/oidc/v1/userinfo', { headers: bearer }],
        ['/oauth/v2/token', form(machine)],
        ['/oauth/v2/token', form(code)],
        ['/oauth/v2/introspect', form({ token: 'x', client_id: '1@x', client_secret: 's' })],
        ['/oauth/v2/keys'],
        ['/oauth/v2/authorize?client_id=1@x&response_type=code&redirect_uri=https://a.example'],
        ['/ui/login'],
      ]
      for (const [path, init] of asked) {
        const answer = await fetch(`${url}${path}`, { ...init, redirect: 'manual' })
        const text = await answer.text()
        assert.equal(answer.status, 503, `${path}: ${answer.status} ${text}`)
        if (path.includes('/token')) assert.equal(JSON.parse(text).error, 'temporarily_unavailable', text)
      }
      close()
      return stop(server)
    },
  )
})
