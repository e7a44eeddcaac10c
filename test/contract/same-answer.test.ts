/** A call gives the same answer over every protocol: message, code and details. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { create, type DescMessage, type DescMethodUnary, type Message, type MessageInitShape } from '@bufbuild/protobuf'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { type Answer, helpFor } from './answer.ts'
import { type Caller, openCallers, type Request } from './callers.ts'
import { startServer, type TestServer } from './server.ts'

const { addMachineUser, getUserByID } = ManagementService.method

function request(method: DescMethodUnary, init: object, rest: Request['rest'], bearer = 'good'): Request {
  return {
    method,
    message: create(method.input, init as MessageInitShape<DescMessage>) as Message,
    rest,
    headers: bearer === '' ? {} : { authorization: `Bearer ${bearer}` },
  }
}
function adding(init: object, bearer?: string) {
  return request(addMachineUser, init, { verb: 'POST', path: '/management/v1/users/machine', hasBody: true }, bearer)
}
function getting(id: string, bearer?: string) {
  return request(
    getUserByID,
    { id },
    { verb: 'GET', path: `/management/v1/users/${encodeURIComponent(id)}`, hasBody: false },
    bearer,
  )
}

function problem(code: number, id: string, message: string, ...more: readonly { type: string; value: object }[]) {
  return {
    problem: {
      code,
      message,
      details: [{ type: 'signet.v1.ErrorDetail', value: { id, message } }, ...more, helpFor(id)],
    },
  } as Answer
}

const longName = '𝒩'.repeat(200)

const cases: readonly (readonly [name: string, request: Request, expected: Answer])[] = [
  [
    'a success',
    adding({ userName: 'zoë', name: '🤖' }),
    { reply: { userId: 'id-of-zoë', details: { sequence: '9223372036854775808', resourceOwner: '🤖|' } } },
  ],
  ['a read', getting('a/b c%ü'), { reply: { user: { id: 'a/b c%ü', userName: 'found' } } }],
  [
    'a name at its limit, counted in code points',
    adding({ userName: longName, name: 'n' }),
    { reply: { userId: `id-of-${longName}`, details: { sequence: '9223372036854775808', resourceOwner: 'n|' } } },
  ],
  [
    'broken limits, every one of them',
    adding({ userName: '', name: `${longName}𝒩`, description: 'd'.repeat(501), accessTokenType: 9 }),
    problem(3, 'request.invalid', 'The request is invalid: userName: value is required (and 3 more).', {
      type: 'google.rpc.BadRequest',
      value: {
        fieldViolations: [
          { field: 'userName', description: 'value is required' },
          { field: 'name', description: 'must be at most 200 characters' },
          { field: 'description', description: 'must be at most 500 characters' },
          { field: 'accessTokenType', description: 'value must be one of the defined enum values' },
        ],
      },
    }),
  ],
  ['something that is not there', getting('nobody'), problem(5, 'user.not_found', 'The user does not exist.')],
  [
    'a conflict',
    adding({ userName: 'taken', name: 'n' }),
    problem(6, 'user.username_taken', 'The user name “Zoë” is taken.'),
  ],
  [
    'too many attempts',
    adding({ userName: 'busy', name: 'n' }),
    problem(8, 'user.busy', 'Too many attempts.', { type: 'google.rpc.RetryInfo', value: { retryDelay: '7s' } }),
  ],
  ['no token', adding({}, ''), problem(16, 'access.unauthenticated', 'A valid access token is required.')],
  ['a wrong token', getting('', 'bad'), problem(16, 'access.unauthenticated', 'A valid access token is required.')],
  [
    'no permission',
    adding({}, 'weak'),
    problem(7, 'access.forbidden', 'You do not have permission for this operation.'),
  ],
]

suite('every protocol gives the same answer to', () => {
  let callers: readonly Caller[] = []
  let server: TestServer
  before(async () => {
    server = await startServer(undefined)
    callers = openCallers(server.port)
  })
  after(async () => {
    for (const caller of callers) caller.close?.()
    await server.close()
  })

  for (const [name, request, expected] of cases) {
    test(name, async () => {
      for (const caller of callers) {
        // An empty path parameter is another path, so REST cannot ask for it.
        if (caller.name.includes('REST') && request.rest.path.endsWith('/')) continue
        assert.deepEqual(await caller.call(request), expected, caller.name)
      }
    })
  }
})
