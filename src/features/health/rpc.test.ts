import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatus as Status,
} from '../../../contract/gen/grpc/health/v1/health_pb.ts'
import type { Call } from '../../access/call.ts'
import { Refused } from '../../kernel/refusal.ts'
import { healthMethods } from './rpc.ts'

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

  test('a service that is not served is not found, ready or not', async () => {
    for (const isReady of [true, false]) {
      await assert.rejects(
        async () => check('signet.user.v2.Userservice', isReady),
        (error) => error instanceof Refused && error.code === 'health.service_unknown' && error.kind === 'not_found',
      )
    }
  })
})
