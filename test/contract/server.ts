/** A port with small handlers behind it, for tests of the wire alone. */
import type { TestContext } from 'node:test'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Authorize } from '../../src/access/authorization.ts'
import type { Call } from '../../src/access/call.ts'
import { type Method, methods } from '../../src/access/method.ts'
import { accessRefusals } from '../../src/access/refusals.ts'
import type { FinishedRequest } from '../../src/http/exchange.ts'
import { openPort } from '../../src/http/port/listener.ts'
import type { Fault } from '../../src/http/protocols/errors.ts'
import { openRouter } from '../../src/http/router.ts'
import { type Catalogue, refused } from '../../src/kernel/refusal.ts'

const refusals = {
  'user.not_found': ['not_found', 'The user does not exist.'],
  'user.username_taken': ['conflict', 'The user name “Zoë” is taken.'],
  'user.busy': ['exhausted', 'Too many attempts.'],
} as const satisfies Catalogue

/** Who shows `good` may do everything, who shows `weak` nothing; everybody else is unknown. */
export const authorize: Authorize = async (method, request) => {
  const bearer = request.header('authorization')
  if (bearer === undefined || !['Bearer good', 'Bearer weak'].includes(bearer)) {
    throw refused(accessRefusals, 'access.unauthenticated')
  }
  if (bearer === 'Bearer weak') throw refused(accessRefusals, 'access.forbidden')
  return {
    call: { requestId: request.requestId, signal: request.signal } as Call,
    checkMessage: async () => {},
    checkTarget: async () => {},
    finish: () => {},
    again: () => authorize(method, request),
  }
}

/** Handlers that show what arrived. */
export const sampleMethods: readonly Method[] = [
  ...methods(ManagementService, {
    async addMachineUser({ userName, name, description, userId }, call) {
      if (userName === 'taken') throw refused(refusals, 'user.username_taken')
      if (userName === 'busy') throw refused(refusals, 'user.busy', { retryAfterSeconds: 7 })
      if (userName === 'fault') throw new Error('password=hunter2 at db.internal:5432')
      if (userName === 'slow') await new Promise((_, reject) => call.signal.addEventListener('abort', reject))
      const details = { sequence: 2n ** 63n, resourceOwner: `${name}|${description}` }
      return { userId: userId ?? `id-of-${userName}`, details }
    },
    async getUserByID({ id }) {
      if (id === 'nobody') throw refused(refusals, 'user.not_found')
      return { user: { id, userName: 'found' } }
    },
    updateMachine: async ({ userId, name }) => ({ details: { resourceOwner: `${userId}|${name}` } }),
    isUserUnique: async ({ userName, email }) => ({ isUnique: userName === 'ü' && email === 'a+b@c.d' }),
    listUsers: async ({ query, queries }) => ({
      details: { totalResult: BigInt(queries.length), processedSequence: query?.offset ?? 0n },
      result: Array.from({ length: query?.limit ?? 0 }, (_, index) => ({ id: String(index), userName: 'robot' })),
    }),
  }),
  ...methods(OrganizationService, {
    addOrganization: async ({ organizationId, name }) => ({ organizationId: organizationId ?? `id-of-${name}` }),
  }),
  ...methods(UserService, { getUserByID: async ({ userId }) => ({ user: { userId } }) }),
]

export interface TestServer {
  readonly port: number
  readonly url: string
  readonly faults: Fault[]
  readonly finished: FinishedRequest[]
  close(): Promise<void>
}

/** Starts a port that ends with the test; without one, the caller ends it. */
export async function startServer(
  test: TestContext | undefined,
  served: readonly Method[] = sampleMethods,
  authorization: Authorize = authorize,
): Promise<TestServer> {
  const faults: Fault[] = []
  const finished: FinishedRequest[] = []
  const router = openRouter({
    methods: served,
    authorize: authorization,
    log: (fault) => faults.push(fault),
    onFinish: (call) => finished.push(call),
  })
  const port = await openPort({
    listen: { host: '127.0.0.1', port: 0 },
    router,
    limits: { connectionsPerAddress: 10_000 },
    fault: (error) => faults.push({ error, requestId: '', method: '' }),
  })
  const close = () => port.close({ graceMs: 100 })
  test?.after(close)
  return { port: port.address.port, url: `http://127.0.0.1:${port.address.port}`, faults, finished, close }
}
