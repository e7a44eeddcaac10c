import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { durationFromMs, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { type SearchQuery, SearchQuerySchema } from '../../../contract/gen/signet/session/v2/session_pb.ts'
import { TimestampQueryMethod } from '../../../contract/gen/signet/v1/object_pb.ts'
import type { CallOptions } from '../../../test/support/calls.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import {
  type Held,
  openSessionWorld,
  type Person,
  passwordCheck,
  type SessionWorld,
  userCheck,
  v2,
} from '../../../test/support/session-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { instant } from '../../kernel/instant.ts'
import { organizations } from '../organizations/index.ts'
import { sessions } from './documents.ts'
import { sessionFilter } from './queries.ts'

type Query = MessageInitShape<typeof SearchQuerySchema>
const { EQUALS, GREATER, GREATER_OR_EQUALS, LESS, LESS_OR_EQUALS } = TimestampQueryMethod

for (const engine of bothEngines) {
  suite(`lists of sessions on ${engine.name}`, () => {
    let world: SessionWorld
    let start: number
    let ada: Person
    let bob: Person
    let eve: Person
    /** a and b are of Ada, c of Bob, d without a user, e of Eve elsewhere, f has ended, g has expired. */
    const held: Record<string, Held> = {}

    before(async () => {
      world = await openSessionWorld(engine)
      start = world.clock.now
      const origin = { actor: 'server', at: world.clock.now } as const
      await world.store.write(origin, (work) =>
        work.decide(organizations, 'away', { type: 'add', name: 'Away' }, 'away'),
      )
      ada = await world.addPerson()
      bob = await world.addPerson()
      eve = await world.addPerson({ organizationId: 'away' })
      const add = async (
        name: string,
        offset: number,
        request: Parameters<SessionWorld['create']>[0],
        as?: CallOptions,
      ) => {
        world.clock.now = instant(start + offset)
        held[name] = await world.create(request, as)
      }
      const userAgent = { fingerprintId: 'agent-1' }
      const lifetime = durationFromMs(1_000_000)
      await add('a', 0, { checks: { ...userCheck(ada), ...passwordCheck() }, userAgent, lifetime })
      await add('b', 1, { checks: userCheck(ada), userAgent: { fingerprintId: 'agent-2' }, lifetime })
      await add('c', 2, { checks: userCheck(bob), userAgent, lifetime })
      await add('d', 3, { lifetime: durationFromMs(2_000_000) }, world.owner)
      await add('e', 4, { checks: userCheck(eve), lifetime })
      await add('f', 5, { checks: userCheck(ada), lifetime })
      await world.call(v2.deleteSession, { sessionId: held.f?.sessionId ?? '' }, world.owner)
      await add('g', 6, { checks: userCheck(bob), lifetime: durationFromMs(1) })
      world.clock.now = instant(start + 1000)
    })
    after(() => world.dispose())

    const list = async (queries: readonly Query[], as: CallOptions = world.owner) => {
      const request = { queries: [...queries], query: { asc: true } }
      const { sessions, details } = await world.call(v2.listSessions, request, as)
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
      assert.equal(await list(one({ case: 'creatorQuery', value: { id: world.loginId } })), 'abceg')
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
      assert.equal(await list([], world.nobody), '')
      assert.equal(await list([], world.login), 'abcdeg')
      const manager = await world.addMachine({ organizationRoles: ['ORG_USER_MANAGER'] })
      assert.equal(await list([], manager.request), 'abcg')
      const elsewhere = await world.addMachine({ organizationId: 'away', organizationRoles: ['ORG_OWNER'] })
      assert.equal(await list([], elsewhere.request), 'e')
      const viewer = await world.addMachine({ organizationRoles: ['ORG_OWNER_VIEWER'] })
      assert.equal(await list([], viewer.request), '')
    })

    test('show those who may no longer create sessions what they created', async () => {
      const { userId, request } = await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })
      const { sessionId } = await world.create({}, request)
      const resource = { resource: { case: 'instance', value: true } } as const
      await world.call(InternalPermissionService.method.deleteAdministrator, { userId, resource }, world.owner)
      const { sessions } = await world.call(v2.listSessions, {}, request)
      assert.deepEqual(
        sessions.map(({ id }) => id),
        [sessionId],
      )
      assert.equal((await world.call(v2.getSession, { sessionId }, request)).session?.id, sessionId)
      await world.call(v2.deleteSession, { sessionId }, world.owner)
    })

    test('know the user agent of the caller’s own session', async () => {
      const own = one({ case: 'userAgentQuery', value: {} })
      assert.equal(await list(own, { bearer: held.a?.token ?? '' }), 'a')
      assert.equal(await list(own), '')
    })

    test('are paged, newest first unless told otherwise', async () => {
      const page = async (query: { offset?: bigint; limit?: number; asc?: boolean }) => {
        const { sessions, details } = await world.call(v2.listSessions, { query }, world.owner)
        assert.equal(details?.totalResult, 6n)
        return sessions.map(({ id }) => Object.keys(held).find((name) => held[name]?.sessionId === id)).join('')
      }
      assert.equal(await page({ limit: 2 }), 'ge')
      assert.equal(await page({ limit: 2, offset: 2n }), 'dc')
      assert.equal(await page({ limit: 2, offset: 4n, asc: true }), 'eg')
      await isRefused(page({ limit: 1001 }), 'list.limit_too_large', 'query.limit')
    })

    test('show the factors of each with the names of its user', async () => {
      const { sessions } = await world.call(v2.listSessions, { query: { asc: true } }, world.owner)
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

test('every filter of a list of sessions has an index', () => {
  const query = { $typeName: 'signet.session.v2.SearchQuery' } as const
  const cases = SearchQuerySchema.fields.map(({ localName, message }) => ({
    case: localName,
    value: message === undefined ? '' : create(message, {}),
  }))
  const agent = { callerId: 'me', fingerprintId: 'agent' }
  const filters = cases.map((one) => sessionFilter({ ...query, query: one } as SearchQuery, agent))
  const fields = [...filters, { field: 'endsAt', equals: 0 } as const].flatMap((filter) =>
    'field' in filter ? [filter.field] : [],
  )
  assert.ok(fields.includes('creatorId') && fields.includes('fingerprintId'), fields.join())
  const declared: Readonly<Record<string, { readonly indexed?: boolean }>> = sessions.fields
  assert.deepEqual(
    fields.filter((field) => declared[field]?.indexed === false),
    [],
  )
})
