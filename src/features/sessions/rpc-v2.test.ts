import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { durationFromMs, timestampDate } from '@bufbuild/protobuf/wkt'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import {
  openSessionWorld,
  PASSWORD,
  passwordCheck,
  type SessionWorld,
  userCheck,
  v2,
} from '../../../test/support/session-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { instant } from '../../kernel/instant.ts'
import { organizations } from '../organizations/index.ts'
import { identifyBearer } from '../sign-in/index.ts'

const v1 = ManagementService.method
function byName(loginName: string) {
  return { user: { search: { case: 'loginName' as const, value: loginName } } }
}

for (const engine of engines) {
  suite(`sessions on ${engine.name}`, () => {
    let world: SessionWorld
    before(async () => {
      world = await openSessionWorld(engine)
    })
    after(() => world.dispose())

    const eventsOf = async (id: string) =>
      (await world.store.events({ kinds: ['session'], id, limit: 100 })).map(({ type }) => type)
    const noon = () => world.clock.now

    test('are created without a user, and belong to the instance until one is checked', async () => {
      const created = await world.call(v2.createSession, {}, world.login)
      assert.equal(created.details?.resourceOwner, world.instanceId)
      assert.match(created.sessionToken, /^signet_session_[A-Za-z0-9_-]{64}$/)
      assert.equal(created.challenges, undefined)
      const read = await world.get(created.sessionId)
      assert.equal(read.factors, undefined)
      assert.equal(read.sequence, created.details?.sequence)
      assert.equal(timestampDate(read.expirationDate ?? assert.fail()).getTime(), noon() + 30 * 86_400_000)
      const { userId } = await world.addPerson()
      const { sessionId, sessionToken } = created
      const set = await world.call(
        v2.setSession,
        { sessionId, sessionToken, checks: userCheck({ userId }) },
        world.login,
      )
      assert.equal(set.details?.resourceOwner, world.defaultOrganizationId)
      assert.notEqual(set.sessionToken, sessionToken)
      assert.deepEqual(await eventsOf(sessionId), [
        'session.created.v1',
        'session.user_checked.v1',
        'session.token_renewed.v1',
      ])
    })

    test('are built up by checks, each of which is a factor', async () => {
      const person = await world.addPerson()
      const held = await world.create({ checks: byName(person.loginName.toUpperCase()) })
      world.clock.now = instant(noon() + 1000)
      await world.set(held, { checks: passwordCheck() })
      const { factors } = await world.get(held.sessionId)
      assert.equal(factors?.user?.id, person.userId)
      assert.equal(factors?.user?.loginName, person.loginName)
      assert.equal(factors?.user?.displayName, 'Ada Lovelace')
      assert.equal(factors?.user?.organizationId, world.defaultOrganizationId)
      assert.equal(timestampDate(factors?.password?.verifiedAt ?? assert.fail()).getTime(), noon())
      assert.equal(factors?.webAuthN, undefined)
    })

    test('keep metadata, the user agent and the lifetime they were given', async () => {
      const held: { sessionId: string; token: string } = await world.create({
        metadata: { color: 'blue', none: '' },
        userAgent: {
          fingerprintId: 'f1',
          ip: '192.0.2.1',
          description: 'a browser',
          header: { accept: { values: ['text/html', '*/*'] } },
        },
        lifetime: durationFromMs(60_000),
      })
      const before = await world.get(held.sessionId)
      assert.deepEqual(before.metadata, { color: 'blue' })
      assert.equal(before.userAgent?.fingerprintId, 'f1')
      assert.deepEqual(before.userAgent?.header.accept?.values, ['text/html', '*/*'])
      assert.equal(timestampDate(before.expirationDate ?? assert.fail()).getTime(), noon() + 60_000)
      // Who has only the token can make it shorter, not longer.
      await isRefused(world.set(held, { lifetime: durationFromMs(60_001) }), 'session.not_prolonged')
      await world.call(v2.setSession, { sessionId: held.sessionId, lifetime: durationFromMs(90_000) }, world.login)
      const again = await world.call(v2.setSession, { sessionId: held.sessionId }, world.login)
      held.token = again.sessionToken
      const next = await world.set(held, { metadata: { color: '', size: 'l' }, lifetime: durationFromMs(1) })
      assert.deepEqual((await world.get(held.sessionId)).metadata, { size: 'l' })
      world.clock.now = instant(noon() + 1)
      await isRefused(world.set(next, { metadata: { size: 's' } }), 'session.expired')
      // Expired ones are still shown.
      assert.deepEqual((await world.get(held.sessionId)).metadata, { size: 'l' })
    })

    test('have one token at a time, and no change of it passes', async () => {
      const held = await world.create()
      const next = await world.set(held, {})
      for (const as of [world.nobody, world.login, world.owner]) {
        await isRefused(world.set(held, {}, as), 'session.token_invalid')
      }
      const { token, sessionId } = next
      for (let index = 0; index < token.length; index++) {
        const character = token.charAt(index)
        const flipped = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
        const other = flipped === character ? (character === '_' ? '-' : '_') : flipped
        const changed = token.slice(0, index) + other + token.slice(index + 1)
        for (const one of [token.slice(0, index) || 'x', changed]) {
          await isRefused(world.set({ sessionId, token: one }, {}), 'session.token_invalid')
        }
      }
      for (const more of ['A', '=', ' ', '.']) {
        await isRefused(world.set({ sessionId, token: token + more }, {}), 'session.token_invalid')
      }
      const other = await world.create()
      await isRefused(world.set({ sessionId, token: other.token }, {}), 'session.token_invalid')
      await isRefused(world.set({ sessionId, token: '' }, {}), 'request.invalid', 'sessionToken')
      await isRefused(world.set({ sessionId, token: 'x'.repeat(201) }, {}), 'request.invalid', 'sessionToken')
      await world.set(next, {})
    })

    test('are changed without their token only by those who may', async () => {
      const person = await world.addPerson()
      const { sessionId } = await world.create({ checks: userCheck(person) })
      await world.call(v2.setSession, { sessionId }, world.login)
      await isRefused(world.call(v2.setSession, { sessionId }, world.nobody), 'access.forbidden')
      const orgOwner = await world.addMachine({ organizationRoles: ['ORG_OWNER'] })
      await isRefused(world.call(v2.setSession, { sessionId }, orgOwner.request), 'access.forbidden')
      await isRefused(world.call(v2.createSession, {}, orgOwner.request), 'access.forbidden')
    })

    test('that are not there are told of only to those who may know', async () => {
      const sessionId = '019a0000-0000-7000-8000-000000000001'
      const token = (await world.create()).token
      await isRefused(world.call(v2.setSession, { sessionId }, world.login), 'session.not_found')
      await isRefused(world.set({ sessionId, token }, {}, world.login), 'session.not_found')
      await isRefused(world.call(v2.setSession, { sessionId }, world.nobody), 'access.forbidden')
      await isRefused(world.set({ sessionId, token }, {}), 'session.token_invalid')
      await isRefused(world.call(v2.getSession, { sessionId }, world.nobody), 'access.forbidden')
      await isRefused(world.call(v2.getSession, { sessionId }, world.owner), 'session.not_found')
      await isRefused(world.call(v2.deleteSession, { sessionId }, world.nobody), 'access.forbidden')
      await world.call(v2.deleteSession, { sessionId }, world.owner)
    })

    test('tell a trusted client what is wrong with a user', async () => {
      const check = (checks: object) => world.create({ checks })
      await isRefused(check(userCheck({ userId: 'unknown-user' })), 'user.not_found')
      await isRefused(check(byName('unknown-user')), 'user.not_found')
      await isRefused(check(passwordCheck()), 'session.no_user')
      const person = await world.addPerson()
      await isRefused(check({ ...userCheck(person), ...passwordCheck('wrong') }), 'password.wrong')
      const open = await world.create({ checks: userCheck(person) })
      const other = await world.addPerson()
      await isRefused(world.set(open, { checks: userCheck(other) }, world.login), 'session.other_user')
      const without = await world.addPerson({ password: undefined })
      await isRefused(check({ ...userCheck(without), ...passwordCheck() }), 'password.not_set')
      await world.call(v1.lockUser, { id: person.userId }, world.owner)
      await isRefused(check(userCheck(person)), 'session.user_not_active')
      await isRefused(world.set(open, { checks: passwordCheck() }, world.login), 'session.user_not_active')
      await world.call(v1.unlockUser, { id: person.userId }, world.owner)
      await world.call(v1.deactivateUser, { id: person.userId }, world.owner)
      await isRefused(check(userCheck(person)), 'session.user_not_active')
    })

    test('are refused for an organization that is deactivated', async () => {
      const origin = { actor: 'server', at: noon() } as const
      await world.store.write(origin, (work) =>
        work.decide(organizations, 'away', { type: 'add', name: 'Away' }, 'away'),
      )
      const person = await world.addPerson({ organizationId: 'away' })
      const held = await world.signIn(person)
      assert.notEqual(await identifyBearer(world.app, held.token, noon()), undefined)
      await world.store.write(origin, (work) =>
        work.decide(organizations, 'away', { type: 'deactivate', isDefault: false }),
      )
      await isRefused(world.create({ checks: userCheck(person) }), 'session.organization_inactive')
      assert.equal(await identifyBearer(world.app, held.token, noon()), undefined)
    })

    test('tell those who show only a token one thing, whatever is the matter', async () => {
      const [person, locked, away, without] = await Promise.all([
        world.addPerson(),
        world.addPerson(),
        world.addPerson(),
        world.addPerson({ password: undefined }),
      ])
      await world.call(v1.lockUser, { id: locked.userId }, world.owner)
      await world.call(v1.deactivateUser, { id: away.userId }, world.owner)
      const held = await world.create()
      const check = (checks: object) => world.set(held, { checks })
      const both = (user: object, password = PASSWORD) => check({ ...user, ...passwordCheck(password) })
      const one = 'session.sign_in_refused'
      await isRefused(both(byName('unknown-user')), one)
      await isRefused(both(userCheck({ userId: 'unknown-user' })), one)
      await isRefused(both(userCheck(person), 'wrong'), one)
      await isRefused(both(userCheck(locked)), one)
      await isRefused(both(userCheck(locked), 'wrong'), one)
      await isRefused(both(userCheck(away)), one)
      await isRefused(both(userCheck(without)), one)
      // A user check alone is refused, whichever user it names.
      for (const user of [person, locked, { userId: 'unknown-user' }]) {
        await isRefused(check(userCheck(user)), 'access.forbidden')
      }
      const next = await both(userCheck(person))
      const other = await world.addPerson()
      await isRefused(
        world.set(next, { checks: { ...userCheck(other), ...passwordCheck() } }),
        'session.sign_in_refused',
      )
      assert.equal((await world.get(held.sessionId)).factors?.user?.id, person.userId)
    })

    test('count wrong passwords per person and keep nothing of the request', async () => {
      const person = await world.addPerson()
      const held = await world.create({ checks: userCheck(person) })
      const wrong = { checks: passwordCheck('wrong'), metadata: { a: 'b' } }
      for (let tries = 0; tries < 5; tries++) await isRefused(world.set(held, wrong, world.login), 'password.wrong')
      await isRefused(world.set(held, wrong, world.login), 'attempts.too_many')
      await isRefused(world.set(held, { checks: passwordCheck() }, world.login), 'attempts.too_many')
      assert.deepEqual((await world.get(held.sessionId)).metadata, {})
      world.clock.now = instant(noon() + 1000)
      await world.set(held, { checks: passwordCheck() }, world.login)
      assert.deepEqual(await eventsOf(held.sessionId), [
        'session.created.v1',
        'session.user_checked.v1',
        'session.password_checked.v1',
        'session.token_renewed.v1',
      ])
    })

    test('keep to the login settings', async () => {
      const person = await world.addPerson()
      const held = await world.create({ checks: userCheck(person) })
      await world.setLogin(world.defaultOrganizationId, { allowsPassword: false })
      await isRefused(world.set(held, { checks: passwordCheck() }, world.login), 'session.password_not_allowed')
      const intent = { intent: { intentId: 'i', token: 't' } }
      await isRefused(world.set(held, { checks: intent }, world.login), 'intent.not_succeeded')
      await world.setLogin(world.defaultOrganizationId, { allowsExternal: false, sessionLifetimeMs: 5000 })
      await isRefused(world.set(held, { checks: intent }, world.login), 'session.external_not_allowed')
      const short = await world.create({ checks: userCheck(person) })
      const { expirationDate } = await world.get(short.sessionId)
      assert.equal(timestampDate(expirationDate ?? assert.fail()).getTime(), noon() + 5000)
      await world.setLogin(world.defaultOrganizationId, {})
      assert.deepEqual((await eventsOf(held.sessionId)).at(-1), 'session.check_failed.v1')
    })
  })
}
