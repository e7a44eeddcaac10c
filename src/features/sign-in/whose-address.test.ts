/**
 * Whom an address means that somebody types: who proved it by mail, else who had it first. No name, assertion or
 * registration of others takes it away.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openSessionWorld, PASSWORD, type SessionWorld } from '../../../test/support/session-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { instant } from '../../kernel/instant.ts'
import { finishRegistration, registerAccount, resetPasswordByCode, sendResetCodeTo } from '../account/index.ts'
import { findPerson, signInWithPassword } from './index.ts'

const v2 = UserService.method
const client = { host: 'localhost', description: '' }

/** How an address is given to a user: the person proves it by mail, or an administrator says that it is verified or not. */
type Given = 'by mail' | 'asserted' | 'unverified' | 'code returned'

interface New {
  readonly email?: string
  readonly username?: string
  readonly given?: Given
  readonly organizationId?: string
  readonly password?: string | undefined
}

for (const engine of bothEngines) {
  suite(`an address that several have, on ${engine.name}`, () => {
    let world: SessionWorld
    let home: string
    let elsewhere: string
    before(async () => {
      world = await openSessionWorld(engine)
      home = await addOrganization('Home')
      elsewhere = await addOrganization('Elsewhere')
      await world.setLogin(world.instanceId, { allowsRegistration: true })
    })
    after(() => world.dispose())

    const addOrganization = async (name: string) =>
      (await world.call(OrganizationService.method.addOrganization, { name }, world.owner)).organizationId
    let count = 0
    const wait = () => {
      world.clock.now = instant(world.clock.now + 1000)
    }
    const mailedCode = async (userId: string) => {
      const mail = (await world.outbox()).findLast(({ data }) => data.userId === userId)
      return (mail?.values as { readonly code?: string } | undefined)?.code ?? assert.fail('no mail')
    }
    const add = async (made: New) => {
      wait()
      const n = ++count
      const { username = `name-${n}`, given = 'asserted', organizationId = home } = made
      const email = made.email ?? `unique-${n}@example.com`
      const password = 'password' in made ? made.password : PASSWORD
      const verification = {
        'by mail': { case: 'sendCode', value: {} },
        asserted: { case: 'isVerified', value: true },
        unverified: { case: 'isVerified', value: false },
        'code returned': { case: 'returnCode', value: {} },
      } as const
      const { userId, emailCode = '' } = await world.call(
        v2.addHumanUser,
        {
          username,
          profile: { firstName: 'Ada', lastName: 'Lovelace' },
          email: { email, verification: verification[given] },
          ...(password !== undefined && { passwordType: { case: 'password', value: { password } } }),
          organisation: { org: { case: 'orgId', value: organizationId } },
        },
        world.owner,
      )
      wait()
      if (given === 'by mail') await verify(userId, await mailedCode(userId))
      if (given === 'code returned') await verify(userId, emailCode)
      return userId
    }
    const verify = (userId: string, verificationCode: string) =>
      world.call(v2.verifyEmail, { userId, verificationCode }, world.owner)
    const signIn = async (userName: string, organizationId?: string) => {
      const given = { userName, password: PASSWORD, organizationId, client, before: undefined }
      const signed = await signInWithPassword(world.app, given)
      return signed.outcome === 'done' ? (await findPerson(world.app, signed.token))?.userId : signed.outcome
    }
    /** Who gets the mail of a reset that somebody asks for by name or address. */
    const resetGoesTo = async (text: string) => {
      const mails = (await world.outbox()).length
      await sendResetCodeTo(world.app, text, undefined)
      return (await world.outbox()).slice(mails).map(({ data }) => data.userId)
    }
    const byLoginName = async (value: string) =>
      (await world.create({ checks: { user: { search: { case: 'loginName', value } } } })).sessionId

    /** What others do to take an address, in their own organization. */
    const takings = {
      'a user is named like it': (email: string) =>
        add({ username: email, organizationId: elsewhere, password: 'another password' }),
      'a user with the address asserted is named like it': (email: string) =>
        add({ username: email, email, organizationId: elsewhere, password: 'another password' }),
      'a machine is named like it': (email: string) => {
        const inElsewhere = { ...world.owner, organizationId: elsewhere }
        return world.call(ManagementService.method.addMachineUser, { userName: email, name: 'M' }, inElsewhere)
      },
      'it is asserted for another user': (email: string) =>
        add({ email, organizationId: elsewhere, password: 'another password' }),
      'it is given to another user and the returned code verifies it': (email: string) =>
        add({ email, given: 'code returned', organizationId: elsewhere, password: 'another password' }),
    }

    for (const [what, take] of Object.entries(takings)) {
      for (const given of ['by mail', 'asserted', 'unverified'] as const) {
        test(`stays with the person who has it (${given}) when ${what}`, async () => {
          const email = `victim-${++count}@home.example`
          const userId = await add({ email, given })
          await take(email)
          assert.equal(await signIn(email), userId)
          assert.equal(await signIn(email.toUpperCase()), userId)
          assert.equal(await signIn(email, home), userId)
          assert.deepEqual(await resetGoesTo(email), given === 'unverified' ? [] : [userId])
          // The API knows names only, and this name means nobody there, as before.
          await isRefused(byLoginName(email), 'user.not_found')
          const { getUserByLoginNameGlobal } = ManagementService.method
          await isRefused(world.call(getUserByLoginNameGlobal, { loginName: email }, world.owner), 'user.not_found')
        })
      }

      test(`is with the person who proves it by mail after ${what}`, async () => {
        const email = `late-${++count}@home.example`
        await take(email)
        const userId = await add({ email, given: 'by mail' })
        assert.equal(await signIn(email), userId)
        assert.deepEqual(await resetGoesTo(email), [userId])
      })
    }

    test('stays with its person, however many others are given it', async () => {
      const email = 'many@home.example'
      const userId = await add({ email, given: 'by mail' })
      await Promise.all(
        Array.from({ length: 105 }, () => add({ email, organizationId: elsewhere, password: undefined })),
      )
      assert.equal(await signIn(email), userId)
    })

    test('that a user types for themself does not stand in the way of a person who is added later', async () => {
      const email = 'typed@home.example'
      const other = await add({ organizationId: elsewhere, password: 'another password' })
      const session = await world.create({
        checks: { user: { search: { case: 'userId', value: other } }, password: { password: 'another password' } },
      })
      await world.call(v2.setEmail, { userId: other, email }, { ...world.owner, bearer: session.token })
      const userId = await add({ email, username: email })
      assert.equal(await signIn(email), userId)
      const second = await add({ email: 'typed-too@home.example' })
      assert.equal(await signIn('typed-too@home.example'), second)
    })

    test('that two have proven means neither of them, and each in their own organization', async () => {
      const email = 'both@home.example'
      const [one, two] = [
        await add({ email, given: 'by mail' }),
        await add({ email, given: 'by mail', organizationId: elsewhere }),
      ]
      assert.equal(await signIn(email), 'refused')
      assert.deepEqual([await signIn(email, home), await signIn(email, elsewhere)], [one, two])
      // The name decides between them, where one of them has it.
      await world.call(v2.updateHumanUser, { userId: two, username: email }, world.owner)
      assert.equal(await signIn(email), two)
    })

    test('as a name in two organizations with names of their own means who has the address', async () => {
      const email = 'scoped@home.example'
      const [north, south] = [await addOrganization('North'), await addOrganization('South')]
      for (const organizationId of [north, south]) {
        const settings = { organizationId, organizationScopedUsernames: true }
        await world.call(SettingsService.method.setOrganizationSettings, settings, world.owner)
      }
      const userId = await add({ email, username: email, given: 'by mail', organizationId: north })
      await add({ username: email, organizationId: south })
      assert.equal(await signIn(email), userId)
      assert.equal((await world.get(await byLoginName(email))).factors?.user?.id, userId)
    })

    test('is proven by the code of a password reset that was mailed, and by none that was returned', async () => {
      const email = 'reset@home.example'
      const [first, second] = [await add({ email }), await add({ email, organizationId: elsewhere })]
      assert.equal(await signIn(email), first)
      const medium = { case: 'returnCode', value: {} } as const
      const reset = { userId: second, password: PASSWORD }
      const returned = await world.call(v2.passwordReset, { userId: second, medium }, world.owner)
      assert.equal(
        (await resetPasswordByCode(world.app, { ...reset, code: returned.verificationCode ?? '' })).outcome,
        'done',
      )
      assert.equal(await signIn(email), first)
      await world.call(v2.passwordReset, { userId: second, medium: { case: 'sendLink', value: {} } }, world.owner)
      const code = await mailedCode(second)
      assert.equal((await resetPasswordByCode(world.app, { ...reset, code })).outcome, 'done')
      assert.equal(await signIn(email), second)
    })

    const register = async (email: string, password = PASSWORD) => {
      wait()
      const account = { firstName: 'Ada', lastName: 'Lovelace', email, password }
      const made = await registerAccount(world.app, world.defaultOrganizationId, account, { client, language: 'en' })
      return made.outcome === 'started' ? made.ticket : assert.fail(made.outcome)
    }

    for (const given of ['by mail', 'asserted', 'unverified'] as const) {
      test(`stays with the person who has it (${given}) when a visitor registers with it`, async () => {
        const email = `registered-${++count}@home.example`
        const userId = await add({ email, given })
        await register(email, 'another password')
        assert.equal(await signIn(email), userId)
        assert.deepEqual(await resetGoesTo(email), given === 'unverified' ? [] : [userId])
      })
    }

    test('that a visitor registered without proof is free for the person who registers and proves it', async () => {
      const email = 'owner@home.example'
      await register(email, 'another password')
      const ticket = await register(email)
      const finished = await finishRegistration(world.app, ticket, await mailedCode(ticket.userId))
      assert.equal(finished.outcome, 'done')
      assert.equal(await signIn(email), ticket.userId)
      assert.equal((await world.get(await byLoginName(email))).factors?.user?.id, ticket.userId)
    })

    test('that is a name in another organization can still be registered, by whom it belongs to', async () => {
      for (const [what, take] of Object.entries(takings)) {
        const email = `taken-${++count}@home.example`
        await take(email)
        const ticket = await register(email)
        const finished = await finishRegistration(world.app, ticket, await mailedCode(ticket.userId))
        assert.equal(finished.outcome, 'done', what)
        assert.equal(await signIn(email), ticket.userId, what)
      }
    })

    test('that a person has proven cannot be registered again', async () => {
      const email = 'known@home.example'
      await add({ email, given: 'by mail' })
      const mails = (await world.outbox()).length
      const ticket = await register(email)
      assert.equal((await world.outbox()).length, mails)
      assert.equal((await finishRegistration(world.app, ticket, 'WRONG1')).outcome, 'refused')
    })
  })
}
