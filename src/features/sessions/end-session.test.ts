import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { openSessionWorld, type SessionWorld, v2 } from '../../../test/support/session-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { identifyBearer } from '../sign-in/index.ts'

const v1 = ManagementService.method

for (const engine of engines) {
  suite(`sessions, seen and ended, on ${engine.name}`, () => {
    let world: SessionWorld
    before(async () => {
      world = await openSessionWorld(engine)
    })
    after(() => world.dispose())

    const eventsOf = async (id: string) =>
      (await world.store.events({ kinds: ['session'], id, limit: 100 })).map(({ type }) => type)
    const noon = () => world.clock.now

    test('are ended by their token, their user and those who may, once or more often', async () => {
      const person = await world.addPerson()
      const end = (sessionId: string, sessionToken: string | undefined, as = world.nobody) =>
        world.call(v2.deleteSession, { sessionId, ...(sessionToken !== undefined && { sessionToken }) }, as)
      const one = await world.signIn(person)
      const { details } = await end(one.sessionId, one.token)
      assert.equal(details?.resourceOwner, world.defaultOrganizationId)
      assert.deepEqual((await end(one.sessionId, one.token)).details, details)
      await isRefused(world.set(one, {}), 'session.ended')
      await isRefused(world.call(v2.setSession, { sessionId: one.sessionId }, world.login), 'session.ended')
      await isRefused(world.get(one.sessionId), 'session.not_found')
      const two = await world.signIn(person)
      await isRefused(end(two.sessionId, undefined), 'access.forbidden')
      await isRefused(end(two.sessionId, one.token), 'session.token_invalid')
      await isRefused(end(two.sessionId, one.token, world.owner), 'session.token_invalid')
      // Another session of the same person is their own, too; an empty token is none.
      const three = await world.signIn(person)
      await end(two.sessionId, '', { bearer: three.token })
      await end(three.sessionId, undefined, world.owner)
      await isRefused(
        world.call(v2.getSession, { sessionId: three.sessionId }, { bearer: three.token }),
        'access.unauthenticated',
      )
    })

    test('end with their user', async () => {
      const person = await world.addPerson()
      const one = await world.signIn(person)
      const two = await world.signIn(person)
      await world.call(v1.removeUser, { id: person.userId }, world.owner)
      for (const { sessionId, token } of [one, two]) {
        assert.equal((await eventsOf(sessionId)).at(-1), 'session.ended.v1')
        assert.equal(await identifyBearer(world.app, token, noon()), undefined)
        await isRefused(world.set({ sessionId, token }, {}), 'session.ended')
      }
    })

    test('are shown to their user and creator, to the holder of the token, and to callers who may read', async () => {
      const person = await world.addPerson()
      const held = await world.signIn(person)
      const { sessionId } = held
      const read = (as: { bearer?: string }, sessionToken?: string) =>
        world.call(v2.getSession, { sessionId, ...(sessionToken !== undefined && { sessionToken }) }, as)
      const reader = await world.addMachine({ organizationRoles: ['ORG_USER_MANAGER'] })
      const viewer = await world.addMachine({ organizationRoles: ['ORG_OWNER_VIEWER'] })
      for (const as of [world.login, world.owner, reader.request, { bearer: held.token }]) {
        assert.equal((await read(as)).session?.id, sessionId)
      }
      assert.equal((await read(world.nobody, held.token)).session?.id, sessionId)
      await isRefused(read(world.nobody), 'access.forbidden')
      await isRefused(read(viewer.request), 'access.forbidden')
      const old = held.token
      await world.set(held, {})
      await isRefused(read(world.nobody, old), 'session.token_invalid')
      await isRefused(read(world.owner, old), 'session.token_invalid')
    })
  })
}
