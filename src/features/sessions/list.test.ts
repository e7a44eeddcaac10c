import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { durationFromMs, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import type { SearchQuerySchema } from '../../../contract/gen/signet/session/v2/session_pb.ts'
import { TimestampQueryMethod } from '../../../contract/gen/signet/v1/object_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import type { RoomCall } from '../../../test/support/room-calls.ts'
import {
  type Held,
  openSessionHouse,
  type Person,
  passwordCheck,
  type SessionHouse,
  userCheck,
  v2,
} from '../../../test/support/session-house.ts'
import { isRefused } from '../../../test/support/small-house.ts'
import { instant } from '../../kernel/instant.ts'
import { organizations } from '../organizations/index.ts'

type Query = MessageInitShape<typeof SearchQuerySchema>
const { EQUALS, GREATER, GREATER_OR_EQUALS, LESS, LESS_OR_EQUALS } = TimestampQueryMethod

for (const engine of engines) {
  suite(`lists of sessions on ${engine.name}`, () => {
    let house: SessionHouse
    let start: number
    let ada: Person
    let bob: Person
    let eve: Person
    /** a and b are of Ada, c of Bob, d of nobody, e of Eve elsewhere, f has ended, g has expired. */
    const held: Record<string, Held> = {}

    before(async () => {
      house = await openSessionHouse(engine)
      start = house.clock.now
      const origin = { actor: 'system', at: house.clock.now }
      await house.store.write(origin, (work) =>
        work.decide(organizations, 'away', { type: 'add', name: 'Away' }, 'away'),
      )
      ada = await house.addPerson()
      bob = await house.addPerson()
      eve = await house.addPerson({ organizationId: 'away' })
      const add = async (
        name: string,
        offset: number,
        request: Parameters<SessionHouse['create']>[0],
        as?: RoomCall,
      ) => {
        house.clock.now = instant(start + offset)
        held[name] = await house.create(request, as)
      }
      const userAgent = { fingerprintId: 'agent-1' }
      const lifetime = durationFromMs(1_000_000)
      await add('a', 0, { checks: { ...userCheck(ada), ...passwordCheck() }, userAgent, lifetime })
      await add('b', 1, { checks: userCheck(ada), userAgent: { fingerprintId: 'agent-2' }, lifetime })
      await add('c', 2, { checks: userCheck(bob), userAgent, lifetime })
      await add('d', 3, { lifetime: durationFromMs(2_000_000) }, house.owner)
      await add('e', 4, { checks: userCheck(eve), lifetime })
      await add('f', 5, { checks: userCheck(ada), lifetime })
      await house.call(v2.deleteSession, { sessionId: held.f?.sessionId ?? '' }, house.owner)
      await add('g', 6, { checks: userCheck(bob), lifetime: durationFromMs(1) })
      house.clock.now = instant(start + 1000)
    })
    after(() => house.dispose())

    const list = async (queries: readonly Query[], as: RoomCall = house.owner) => {
      const request = { queries: [...queries], query: { asc: true } }
      const { sessions, details } = await house.call(v2.listSessions, request, as)
      assert.equal(details?.totalResult, BigInt(sessions.length))
      const names = new Map(Object.entries(held).map(([name, { sessionId }]) => [sessionId, name]))
      return sessions.map(({ id }) => names.get(id)).join('')
    }
    const one = (query: Query['query']): readonly Query[] => [{ query } as Query]
    const created = (offset: number, method: TimestampQueryMethod) =>
      one({ case: 'creationDateQuery', value: { creationDate: timestampFromMs(start + offset), method } })
    const expiring = (offset: number, method: TimestampQueryMethod) =>
      one({ case: 'expirationDateQuery', value: { expirationDate: timestampFromMs(start + offset), method } })

    test('leave out those that have ended, and show those that have expired', async () => {
      assert.equal(await list([]), 'abcdeg')
    })

    test('are filtered by each query, and by all of them', async () => {
      const ids = (...names: string[]) =>
        one({ case: 'idsQuery', value: { ids: names.map((name) => held[name]?.sessionId ?? name) } })
      assert.equal(await list(ids('a', 'd', 'f', 'unknown')), 'ad')
      assert.equal(await list(ids()), '')
      const ofAda = one({ case: 'userIdQuery', value: { id: ada.userId } })
      assert.equal(await list(ofAda), 'ab')
      assert.equal(await list(one({ case: 'creatorQuery', value: { id: house.loginId } })), 'abceg')
      assert.equal(await list(one({ case: 'creatorQuery', value: {} })), 'd')
      const agent = one({ case: 'userAgentQuery', value: { fingerprintId: 'agent-1' } })
      assert.equal(await list(agent), 'ac')
      assert.equal(await list([...agent, ...ofAda]), 'a')
      assert.equal(await list(created(2, EQUALS)), 'c')
      assert.equal(await list(created(2, GREATER)), 'deg')
      assert.equal(await list(created(2, GREATER_OR_EQUALS)), 'cdeg')
      assert.equal(await list(created(2, LESS)), 'ab')
      assert.equal(await list(created(2, LESS_OR_EQUALS)), 'abc')
      assert.equal(await list(expiring(1_000_000, EQUALS)), 'a')
      assert.equal(await list(expiring(1_000_001, LESS)), 'ag')
      assert.equal(await list(expiring(1000, LESS)), 'g')
      assert.equal(await list(expiring(1_000_002, GREATER)), 'de')
    })

    test('show everybody their own, those they created, and those they may read', async () => {
      const token = held.a?.token ?? ''
      assert.equal(await list([], { bearer: token }), 'ab')
      assert.equal(await list([], house.nobody), '')
      assert.equal(await list([], house.login), 'abcdeg')
      const manager = await house.addMachine({ organizationRoles: ['ORG_USER_MANAGER'] })
      assert.equal(await list([], manager.request), 'abcg')
      const elsewhere = await house.addMachine({ organizationId: 'away', organizationRoles: ['ORG_OWNER'] })
      assert.equal(await list([], elsewhere.request), 'e')
      const viewer = await house.addMachine({ organizationRoles: ['ORG_OWNER_VIEWER'] })
      assert.equal(await list([], viewer.request), '')
    })

    test('show those who may no longer create sessions what they created', async () => {
      const { userId, request } = await house.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })
      const { sessionId } = await house.create({}, request)
      const resource = { resource: { case: 'instance', value: true } } as const
      await house.call(InternalPermissionService.method.deleteAdministrator, { userId, resource }, house.owner)
      const { sessions } = await house.call(v2.listSessions, {}, request)
      assert.deepEqual(
        sessions.map(({ id }) => id),
        [sessionId],
      )
      assert.equal((await house.call(v2.getSession, { sessionId }, request)).session?.id, sessionId)
      await house.call(v2.deleteSession, { sessionId }, house.owner)
    })

    test('know the user agent of the caller’s own session', async () => {
      const own = one({ case: 'userAgentQuery', value: {} })
      assert.equal(await list(own, { bearer: held.a?.token ?? '' }), 'a')
      assert.equal(await list(own), '')
    })

    test('are paged, newest first unless told otherwise', async () => {
      const page = async (query: { offset?: bigint; limit?: number; asc?: boolean }) => {
        const { sessions, details } = await house.call(v2.listSessions, { query }, house.owner)
        assert.equal(details?.totalResult, 6n)
        return sessions.map(({ id }) => Object.keys(held).find((name) => held[name]?.sessionId === id)).join('')
      }
      assert.equal(await page({ limit: 2 }), 'ge')
      assert.equal(await page({ limit: 2, offset: 2n }), 'dc')
      assert.equal(await page({ limit: 2, offset: 4n, asc: true }), 'eg')
      await isRefused(page({ limit: 1001 }), 'list.limit_too_large', 'query.limit')
    })

    test('show the factors of each with the names of its user', async () => {
      const { sessions } = await house.call(v2.listSessions, { query: { asc: true } }, house.owner)
      const names = sessions.map(({ factors }) => factors?.user?.loginName)
      const { loginName } = ada
      assert.deepEqual(names, [loginName, loginName, bob.loginName, undefined, eve.loginName, bob.loginName])
      assert.ok(sessions[0]?.factors?.password)
    })

    test('refuse queries that ask nothing', async () => {
      const refused = (query: Query['query']) => isRefused(list(one(query)), 'request.invalid')
      await isRefused(list([{}]), 'request.invalid')
      await refused({ case: 'creationDateQuery', value: {} })
      await refused({ case: 'creatorQuery', value: { id: '' } })
      await refused({ case: 'expirationDateQuery', value: { method: 9 as TimestampQueryMethod } })
    })
  })
}
