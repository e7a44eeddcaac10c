/** The sign-in page tells a visitor the same about every name, on every process that serves it. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { openSessionWorld, PASSWORD, type SessionWorld } from '../../../test/support/session-world.ts'
import { instant } from '../../kernel/instant.ts'
import { registerAccount } from '../account/index.ts'
import { findPerson, signInWithPassword } from './index.ts'

const users = UserService.method
const client = { host: 'localhost', description: 'a browser' }

for (const engine of engines) {
  suite(`signing in on ${engine.name}`, () => {
    let world: SessionWorld
    before(async () => {
      world = await openSessionWorld(engine)
    })
    after(() => world.dispose())

    test('with wrong passwords on two nodes has one answer for all names', async () => {
      const other = await world.another()
      const [active, locked, closed] = [await world.addPerson(), await world.addPerson(), await world.addPerson()]
      const without = await world.addPerson({ password: undefined })
      await world.call(users.lockUser, { userId: locked.userId }, world.owner)
      await world.call(users.deactivateUser, { userId: closed.userId }, world.owner)
      const names = [active, locked, closed, without].map(({ loginName }) => loginName)
      const start = world.clock.now
      const answers = async (userName: string) => {
        world.clock.now = start
        const seen: string[] = []
        for (const node of [0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1]) {
          const { app } = node === 0 ? world : other
          const found = await signInWithPassword(app, { userName, password: 'wrong', client, before: undefined })
          seen.push(JSON.stringify(found))
          world.clock.now = instant(world.clock.now + 10)
        }
        return seen
      }
      const expected = await answers('nobody-of-that-name')
      assert.ok(
        expected.some((answer) => answer.includes('throttled')),
        String(expected),
      )
      for (const name of names) assert.deepEqual(await answers(name), expected, name)
    })

    test('with wrong passwords has one answer for all addresses, whoever has or claims them', async () => {
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'Rivals' },
        world.owner,
      )
      const orgIds = [world.defaultOrganizationId, organizationId] as const
      let count = 0
      const add = async (email: string, more: { username?: string; orgId?: string; isMailed?: boolean } = {}) => {
        const { username = `rival-${++count}`, orgId = orgIds[0], isMailed = false } = more
        const { userId } = await world.call(
          users.addHumanUser,
          {
            username,
            profile: { firstName: 'Ada', lastName: 'Lovelace' },
            email: {
              email,
              verification: isMailed ? { case: 'sendCode', value: {} } : { case: 'isVerified', value: true },
            },
            passwordType: { case: 'password', value: { password: PASSWORD } },
            organisation: { org: { case: 'orgId', value: orgId } },
          },
          world.owner,
        )
        if (!isMailed) return
        const mail = (await world.outbox()).findLast(({ data }) => data.userId === userId)
        const { code: verificationCode = '' } = (mail?.values ?? {}) as { readonly code?: string }
        await world.call(users.verifyEmail, { userId, verificationCode }, world.owner)
      }
      await add('proven@who.example', { isMailed: true })
      await add('asserted@who.example')
      for (const orgId of orgIds) await add('both@who.example', { orgId, isMailed: true })
      await add('named@who.example', { isMailed: true })
      await add('other@who.example', { username: 'named@who.example', orgId: organizationId })
      await add('asserted@who.example', { orgId: organizationId })
      const account = { firstName: 'Eve', lastName: 'Rival', email: 'registered@who.example', password: PASSWORD }
      await world.setLogin(world.instanceId, { allowsRegistration: true })
      await registerAccount(world.app, orgIds[0], account, { client, language: 'en' })
      const start = world.clock.now
      const answers = async (userName: string) => {
        world.clock.now = start
        const seen: string[] = []
        for (let step = 0; step < 8; step++) {
          const found = await signInWithPassword(world.app, { userName, password: 'wrong', client, before: undefined })
          seen.push(JSON.stringify(found))
          world.clock.now = instant(world.clock.now + 10)
        }
        return seen
      }
      const expected = await answers('nobody@who.example')
      for (const name of ['proven', 'asserted', 'both', 'named', 'registered']) {
        assert.deepEqual(await answers(`${name}@who.example`), expected, name)
      }
      // A registration says the same about all of them, in a ticket of the same length.
      const register = async (email: string) => {
        const made = await registerAccount(world.app, orgIds[0], { ...account, email }, { client, language: 'en' })
        return made.outcome === 'started' ? [made.ticket.userId.length, made.ticket.sealed.length] : made.outcome
      }
      const started = await register('nobody@who.example')
      for (const name of ['proven', 'asserted', 'both', 'named', 'registered']) {
        assert.deepEqual(await register(`${name}@who.example`), started, name)
      }
    })

    test('names an organization where several have a user of that name', async () => {
      const north = world.defaultOrganizationId
      const settings = { organizationId: north, organizationScopedUsernames: true }
      await world.call(SettingsService.method.setOrganizationSettings, settings, world.owner)
      const person = await world.addPerson()
      const userName = person.loginName
      const signIn = async (organizationId?: string) => {
        const given = { userName, password: PASSWORD, organizationId, client, before: undefined }
        const found = await signInWithPassword(world.app, given)
        return found.outcome === 'done' ? (await findPerson(world.app, found.token))?.userId : found.outcome
      }
      assert.equal(await signIn(), person.userId)
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'Namesakes' },
        world.owner,
      )
      const namesake = { organisation: { org: { case: 'orgId', value: organizationId } } } as const
      const profile = { firstName: 'Eve', lastName: 'Namesake' }
      const email = { email: 'eve@example.com' }
      await world.call(users.addHumanUser, { username: userName, profile, email, ...namesake }, world.owner)
      assert.equal(await signIn(), 'refused')
      assert.equal(await signIn(north), person.userId)
    })
  })
}
