import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { openSessionHouse, type SessionHouse, v2 } from '../../../test/support/session-house.ts'
import { isRefused } from '../../../test/support/small-house.ts'

const v1 = ManagementService.method

for (const engine of engines) {
  suite(`sessions, seen and ended, on ${engine.name}`, () => {
    let house: SessionHouse
    before(async () => {
      house = await openSessionHouse(engine)
    })
    after(() => house.dispose())

    const eventsOf = async (id: string) =>
      (await house.store.events({ kinds: ['session'], id, limit: 100 })).map(({ type }) => type)
    const noon = () => house.clock.now

    test('are ended by their token, their user and those who may, once or more often', async () => {
      const person = await house.addPerson()
      const end = (sessionId: string, sessionToken: string | undefined, as = house.nobody) =>
        house.call(v2.deleteSession, { sessionId, ...(sessionToken !== undefined && { sessionToken }) }, as)
      const one = await house.signIn(person)
      const { details } = await end(one.sessionId, one.token)
      assert.equal(details?.resourceOwner, house.defaultOrganizationId)
      assert.deepEqual((await end(one.sessionId, one.token)).details, details)
      await isRefused(house.set(one, {}), 'session.ended')
      await isRefused(house.call(v2.setSession, { sessionId: one.sessionId }, house.login), 'session.ended')
      await isRefused(house.get(one.sessionId), 'session.not_found')
      const two = await house.signIn(person)
      await isRefused(end(two.sessionId, undefined), 'access.forbidden')
      await isRefused(end(two.sessionId, one.token), 'session.token_invalid')
      await isRefused(end(two.sessionId, one.token, house.owner), 'session.token_invalid')
      // Another session of the same person is their own, too; an empty token is none.
      const three = await house.signIn(person)
      await end(two.sessionId, '', { bearer: three.token })
      await end(three.sessionId, undefined, house.owner)
      await isRefused(
        house.call(v2.getSession, { sessionId: three.sessionId }, { bearer: three.token }),
        'access.unauthenticated',
      )
    })

    test('end with their user', async () => {
      const person = await house.addPerson()
      const one = await house.signIn(person)
      const two = await house.signIn(person)
      await house.call(v1.removeUser, { id: person.userId }, house.owner)
      for (const { sessionId, token } of [one, two]) {
        assert.equal((await eventsOf(sessionId)).at(-1), 'session.ended.v1')
        assert.equal(await house.rooms.identify(token, noon()), undefined)
        await isRefused(house.set({ sessionId, token }, {}), 'session.ended')
      }
    })

    test('are shown to their user and creator, to whoever has the token, and to those who may read', async () => {
      const person = await house.addPerson()
      const held = await house.signIn(person)
      const { sessionId } = held
      const read = (as: { bearer?: string }, sessionToken?: string) =>
        house.call(v2.getSession, { sessionId, ...(sessionToken !== undefined && { sessionToken }) }, as)
      const reader = await house.addMachine({ organizationRoles: ['ORG_USER_MANAGER'] })
      const viewer = await house.addMachine({ organizationRoles: ['ORG_OWNER_VIEWER'] })
      for (const as of [house.login, house.owner, reader.request, { bearer: held.token }]) {
        assert.equal((await read(as)).session?.id, sessionId)
      }
      assert.equal((await read(house.nobody, held.token)).session?.id, sessionId)
      await isRefused(read(house.nobody), 'access.forbidden')
      await isRefused(read(viewer.request), 'access.forbidden')
      const old = held.token
      await house.set(held, {})
      await isRefused(read(house.nobody, old), 'session.token_invalid')
      await isRefused(read(house.owner, old), 'session.token_invalid')
    })
  })
}
