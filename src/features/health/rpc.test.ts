import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatus as Status,
} from '../../../contract/gen/grpc/health/v1/health_pb.ts'
import type { Call } from '../../access/call.ts'
import type { StreamCaller } from '../../access/method.ts'
import { Refused } from '../../kernel/refusal.ts'
import { healthMethods, healthStreams } from './rpc.ts'
import { watchStatus } from './watch-status.ts'

function check(service: string, isReady: boolean) {
  const [method] = healthMethods({
    isReady: async () => isReady,
    isServed: (name) => name === 'signet.user.v2.UserService',
  })
  // Who asks, and for whom, makes no difference: it is not even looked at.
  return method?.handle(create(HealthCheckRequestSchema, { service }), undefined as unknown as Call)
}

suite('health', () => {
  test('the server as a whole, and each of its services, take calls when the process is ready and not otherwise', async () => {
    for (const service of ['', 'signet.user.v2.UserService']) {
      assert.deepEqual(await check(service, true), { status: Status.SERVING })
      assert.deepEqual(await check(service, false), { status: Status.NOT_SERVING })
    }
  })

  test('the list has the server as a whole and every service', async () => {
    const list = healthMethods({ isReady: async () => false, isServed: () => true })[1]
    assert.ok(list)
    const { statuses } = (await list.handle({}, undefined as unknown as Call)) as {
      statuses: Record<string, { status: Status }>
    }
    for (const name of ['', 'grpc.health.v1.Health', 'signet.user.v2.UserService']) {
      assert.deepEqual(statuses[name], { status: Status.NOT_SERVING }, name)
    }
  })

  test('who follows the status hears it, each change of it, and at the end that it is over', async () => {
    let isReady = true
    const ending = new AbortController()
    const heard: boolean[] = []
    for await (const status of watchStatus(async () => isReady, 1)(ending.signal)) {
      heard.push(status)
      if (heard.length === 1) isReady = false
      if (heard.length === 2) isReady = true
      if (heard.length === 3) ending.abort()
    }
    assert.deepEqual(heard, [true, false, true, false])
  })

  test('a watched service that is not served is unknown, not refused', async () => {
    const [watch] = healthStreams({ isReady: async () => true, isServed: () => false })
    const ending = new AbortController()
    async function* requests() {
      yield create(HealthCheckRequestSchema, { service: 'signet.test.v1.Nothing' })
    }
    for await (const reply of watch?.serve(requests(), ending.signal, undefined as unknown as StreamCaller) ?? []) {
      assert.deepEqual(reply, [{ status: Status.SERVICE_UNKNOWN }])
      ending.abort()
    }
  })

  test('a service that is not served is not found, ready or not', async () => {
    for (const isReady of [true, false]) {
      await assert.rejects(
        async () => check('signet.user.v2.Userservice', isReady),
        (error) => error instanceof Refused && error.code === 'health.service_unknown' && error.kind === 'not_found',
      )
    }
  })
})
