/** When something breaks inside: the log learns everything, the caller a request id, and the next request is served. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import type { Method } from '../../src/access/method.ts'
import { helpFor } from './answer.ts'
import { openCallers } from './callers.ts'
import { authorize, sampleMethods, startServer } from './server.ts'

const { addMachineUser } = ManagementService.method
function request(userName: string) {
  return {
    method: addMachineUser,
    message: create(addMachineUser.input, { userName, name: 'n' }),
    rest: { verb: 'POST', path: '/management/v1/users/machine', hasBody: true },
    headers: { authorization: 'Bearer good' },
  }
}

suite('faults', () => {
  test('every protocol says "internal" and the request id, and nothing else', async (context) => {
    const server = await startServer(context)
    for (const caller of openCallers(server.port)) {
      const answer = await caller.call(request('fault'))
      const fault = server.faults.at(-1)
      assert.match(String(fault?.error), /hunter2/, caller.name)
      assert.deepEqual(
        answer,
        {
          problem: {
            code: 13,
            message: 'internal',
            details: [
              { type: 'signet.v1.ErrorDetail', value: { id: 'internal', message: `request ${fault?.requestId}` } },
              helpFor('internal'),
            ],
          },
        },
        caller.name,
      )
      assert.ok('reply' in (await caller.call(request('fine'))), caller.name)
      caller.close?.()
    }
    assert.equal(server.faults.length, openCallers(server.port).length)
  })

  test('a fault in the authorization, in its last check, in the reply or in the log is contained', async (context) => {
    const broken = (change: Partial<Method>): readonly Method[] =>
      sampleMethods.map(({ descriptor, handle }) => ({ descriptor, handle, ...change }))
    const servers = [
      await startServer(context, sampleMethods, async () => {
        throw new TypeError('authorization')
      }),
      await startServer(context, sampleMethods, (() => {
        throw new TypeError('authorization, at once')
      }) as never),
      await startServer(context, sampleMethods, async (...asked) => ({
        ...(await authorize(...asked)),
        finish: () => {
          throw new Error('never asked')
        },
      })),
      await startServer(context, broken({ handle: async () => ({ details: { sequence: 'x' } }) })),
      await startServer(context, broken({ handle: () => Promise.reject(undefined) })),
    ]
    for (const [index, { port, faults }] of servers.entries()) {
      const [caller] = openCallers(port)
      const answer = await caller?.call(request('fine'))
      assert.ok(answer && 'problem' in answer && answer.problem.code === 13, `${index}: ${JSON.stringify(answer)}`)
      assert.equal(answer.problem.message, 'internal')
      assert.equal(faults.length, 1, String(index))
    }
  })
})
