/** Sign-ins through the session API: recorded, counted, explained, and shown to those who may see them. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import {
  SignInFailure,
  SignInMethod,
  SignInOutcome,
  SignInSettingLevel,
  SignInStepKind,
  SignInStepResult,
} from '../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import {
  type CountSignInsRequestSchema,
  type ListSignInsRequestSchema,
  SignInService,
} from '../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import {
  openSessionWorld,
  type Person,
  passwordCheck,
  type SessionWorld,
  userCheck,
  v2,
} from '../../../test/support/session-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { instant } from '../../kernel/instant.ts'
import { signInWithPassword } from '../sign-in/index.ts'
import { MOST_FAILURES_IN_HOUR } from './documents.ts'
import { flush } from './handlers/count-failures.ts'

const { listSignIns, getSignIn, explainSignIn, countSignIns, listLastSignIns } = SignInService.method
const users = UserService.method
const client = { host: 'localhost', description: 'a browser' }

for (const engine of bothEngines) {
  suite(`sign-ins on ${engine.name}`, () => {
    let world: SessionWorld
    before(async () => {
      world = await openSessionWorld(engine)
    })
    after(() => world.dispose())

    const list = async (request: MessageInitShape<typeof ListSignInsRequestSchema>, as = world.owner) =>
      (await world.call(listSignIns, request, as)).signIns
    const failures = async (request: MessageInitShape<typeof CountSignInsRequestSchema> = {}) => {
      const { days } = await world.call(countSignIns, request, world.owner)
      return new Map(
        days.flatMap(({ failed }) => failed.map(({ failure, count }) => [failure, Number(count)] as const)),
      )
    }
    /** Fails to sign in, and returns what was recorded of it. */
    const failed = async (person: Person, act: () => Promise<unknown>, reason: SignInFailure) => {
      const before = (await failures()).get(reason) ?? 0
      await act()
      assert.equal((await failures()).get(reason), before + 1, `reason ${reason}`)
      const [newest] = await list({ userId: person.userId, outcome: SignInOutcome.FAILED })
      assert.equal(newest?.failure, reason)
      return world.call(explainSignIn, { signInId: newest?.id ?? '' }, world.owner)
    }
    const refusedCreate =
      (person: Person, password = 'wrong') =>
      () =>
        assert.rejects(world.create({ checks: { ...userCheck(person), ...passwordCheck(password) } }))

    test('are one record each, with user, method and steps, and are counted once', async () => {
      const person = await world.addPerson()
      const before = await world.call(countSignIns, {}, world.owner)
      const { sessionId } = await world.signIn(person)
      const [found, ...more] = await list({ userId: person.userId })
      assert.equal(more.length, 0)
      assert.equal(found?.id, sessionId)
      assert.equal(found.sessionId, sessionId)
      assert.equal(found.outcome, SignInOutcome.SUCCEEDED)
      assert.equal(found.method, SignInMethod.PASSWORD)
      assert.equal(found.user?.displayName, 'Ada Lovelace')
      assert.equal(found.user.preferredLoginName, person.loginName)
      const { summary, steps } = await world.call(explainSignIn, { signInId: sessionId }, world.owner)
      assert.equal(summary, 'The user signed in with a password.')
      assert.deepEqual(
        steps.map(({ kind, result }) => [kind, result]),
        [
          [SignInStepKind.USER, SignInStepResult.PASSED],
          [SignInStepKind.PASSWORD, SignInStepResult.PASSED],
        ],
      )
      const today = ({ days }: typeof before) =>
        Number(days.at(-1)?.succeeded.find(({ method }) => method === SignInMethod.PASSWORD)?.count ?? 0)
      assert.equal(today(await world.call(countSignIns, {}, world.owner)), today(before) + 1)
    })

    test('tell the setting because of which they need more', async () => {
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: `Strict ${engine.name}` },
        world.owner,
      )
      await world.setLogin(organizationId, { requiresSecondFactor: true })
      const person = await world.addPerson({ organizationId })
      const { sessionId } = await world.signIn(person)
      const { signIn, summary, steps } = await world.call(explainSignIn, { signInId: sessionId }, world.owner)
      assert.equal(signIn?.outcome, SignInOutcome.PENDING)
      assert.match(summary, /A second factor is required \(settings of the organization: forceMfa = true\)/)
      const { setting, kind, result } = steps.at(-1) ?? assert.fail()
      assert.deepEqual([kind, result], [SignInStepKind.SECOND_FACTOR, SignInStepResult.REQUIRED])
      assert.equal(setting?.name, 'forceMfa')
      assert.equal(setting.level, SignInSettingLevel.ORGANIZATION)
      const counted = await world.call(
        countSignIns,
        { scope: { case: 'organizationId', value: organizationId } },
        world.owner,
      )
      assert.deepEqual(
        counted.days.flatMap(({ succeeded }) => succeeded),
        [],
      )
    })

    test('that fail are counted and explained, whatever failed', async () => {
      const person = await world.addPerson()
      const wrong = await failed(person, refusedCreate(person), SignInFailure.WRONG_PASSWORD)
      assert.equal(wrong.signIn?.sessionId, '')
      assert.match(wrong.summary, /the password was wrong/)
      const held = await world.create({ checks: userCheck(person) })
      const again = await failed(
        person,
        () => assert.rejects(world.set(held, { checks: passwordCheck('wrong') })),
        SignInFailure.WRONG_PASSWORD,
      )
      assert.equal(again.signIn?.id, held.sessionId)
      await world.set(held, { checks: passwordCheck() })
      const { signIn } = await world.call(getSignIn, { signInId: held.sessionId }, world.owner)
      assert.equal(signIn?.outcome, SignInOutcome.SUCCEEDED)
      assert.equal(signIn.failure, SignInFailure.UNSPECIFIED)

      for (const [check, reason] of [
        [{ totp: { code: '123456' } }, SignInFailure.WRONG_TOTP],
        [{ recoveryCode: { code: 'wrong' } }, SignInFailure.WRONG_RECOVERY_CODE],
      ] as const) {
        const session = await world.create({ checks: userCheck(person) })
        await failed(person, () => assert.rejects(world.set(session, { checks: check })), reason)
      }
      await world.call(users.addOTPEmail, { userId: person.userId }, world.owner)
      const challenges = { otpEmail: { deliveryType: { case: 'returnCode', value: {} } } } as const
      const mailed = await world.create({ checks: userCheck(person), challenges })
      const wrongCode = () => assert.rejects(world.set(mailed, { checks: { otpEmail: { code: '000000' } } }))
      await failed(person, wrongCode, SignInFailure.WRONG_CODE)
      await world.call(users.removeOTPEmail, { userId: person.userId }, world.owner)

      await world.setLogin(world.defaultOrganizationId, { allowsPassword: false })
      const session = await world.create({ checks: userCheck(person) })
      const notAllowed = await failed(
        person,
        () => assert.rejects(world.set(session, { checks: passwordCheck() })),
        SignInFailure.NOT_ALLOWED,
      )
      assert.match(notAllowed.summary, /settings of the organization: allowUsernamePassword = false/)
      await world.setLogin(world.defaultOrganizationId, {})

      await world.call(users.lockUser, { userId: person.userId }, world.owner)
      await failed(person, refusedCreate(person), SignInFailure.USER_LOCKED)
      await world.call(users.unlockUser, { userId: person.userId }, world.owner)
      await world.call(users.deactivateUser, { userId: person.userId }, world.owner)
      await failed(person, refusedCreate(person), SignInFailure.USER_INACTIVE)
    })

    test('that fail with a passkey or a provider are counted', async () => {
      const person = await world.addPerson()
      const key = await world.addKey(person, 'passkey')
      const challenges = { webAuthN: { domain: 'localhost', userVerificationRequirement: 1 } } as const
      const { sessionId, sessionToken: token } = await world.call(
        v2.createSession,
        { checks: userCheck(person), challenges },
        world.login,
      )
      const credentialAssertionData = { id: 'x', rawId: 'x', type: 'public-key', response: {} }
      const act = () =>
        assert.rejects(world.set({ sessionId, token }, { checks: { webAuthN: { credentialAssertionData } } }))
      await failed(person, act, SignInFailure.PASSKEY)
      assert.ok(key)
      const intent = { intentId: 'unknown', token: 'wrong' }
      const session = await world.create({ checks: userCheck(person) })
      await failed(
        person,
        () => assert.rejects(world.set(session, { checks: { intent } })),
        SignInFailure.IDENTITY_PROVIDER,
      )
    })

    test('of unknown users keep nothing of what was typed, and count for the instance', async () => {
      const secret = 'typed-my-password-here'
      const before = (await failures()).get(SignInFailure.UNKNOWN_USER) ?? 0
      const given = { userName: secret, password: secret, client, before: undefined }
      assert.equal((await signInWithPassword(world.app, given)).outcome, 'refused')
      assert.equal((await failures()).get(SignInFailure.UNKNOWN_USER), before + 1)
      const [newest] = await list({ failure: SignInFailure.UNKNOWN_USER })
      assert.equal(newest?.user, undefined)
      assert.equal(newest?.organizationId, world.instanceId)
      const events = await world.store.events({ descending: true, limit: 50 })
      assert.equal(JSON.stringify(events).includes(secret), false)
    })

    test('are shown to administrators of the organization alone', async () => {
      const add = async (name: string) => {
        const made = await world.call(OrganizationService.method.addOrganization, { name }, world.owner)
        const { request } = await world.addMachine({
          organizationId: made.organizationId,
          organizationRoles: ['ORG_OWNER'],
        })
        return { id: made.organizationId, admin: request }
      }
      const [north, south] = [await add(`North ${engine.name}`), await add(`South ${engine.name}`)]
      const person = await world.addPerson({ organizationId: north.id })
      const { sessionId: signInId } = await world.signIn(person)
      const scope = { case: 'organizationId', value: north.id } as const
      const last = (as: typeof north.admin) => world.call(listLastSignIns, { userIds: [person.userId] }, as)

      assert.equal((await list({}, north.admin)).length, 1)
      assert.equal((await last(north.admin)).signIns[0]?.signInId, signInId)
      const { days } = await world.call(countSignIns, { scope }, north.admin)
      assert.equal(Number(days.at(-1)?.succeeded[0]?.count), 1)

      assert.deepEqual(await list({}, south.admin), [])
      assert.deepEqual(await list({ organizationId: north.id, userId: person.userId }, south.admin), [])
      assert.deepEqual((await last(south.admin)).signIns, [])
      await isRefused(world.call(getSignIn, { signInId: 'none' }, world.owner), 'sign_in.not_found')
      await isRefused(world.call(countSignIns, { scope }, south.admin), 'access.forbidden')
      await isRefused(world.call(countSignIns, {}, north.admin), 'access.forbidden')
      await isRefused(list({}, world.nobody), 'access.forbidden')
      await isRefused(last(world.nobody), 'access.forbidden')
      for (const as of [world.nobody, south.admin]) {
        for (const id of [signInId, 'none']) {
          await isRefused(world.call(getSignIn, { signInId: id }, as), 'access.forbidden')
          await isRefused(world.call(explainSignIn, { signInId: id }, as), 'access.forbidden')
        }
      }
    })

    test('are filtered by outcome, method and time, and counted by days of the time zone', async () => {
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: `Days ${engine.name}` },
        world.owner,
      )
      const person = await world.addPerson({ organizationId })
      const start = world.clock.now
      // 22:30 of one day in UTC is the next day in Helsinki.
      const day = Math.floor(start / 86_400_000) * 86_400_000
      world.clock.now = instant(day + 22.5 * 3_600_000)
      await world.signIn(person)
      await refusedCreate(person)()
      const scope = { case: 'organizationId', value: organizationId } as const
      const count = async (utcOffsetMinutes: number) => {
        const { days } = await world.call(countSignIns, { scope, days: 2, utcOffsetMinutes }, world.owner)
        return days.map(({ succeeded, failed }) => [succeeded.length, failed.length])
      }
      world.clock.now = instant(day + 24.5 * 3_600_000)
      assert.deepEqual(await count(0), [
        [1, 1],
        [0, 0],
      ])
      assert.deepEqual(await count(120), [
        [0, 0],
        [1, 1],
      ])
      const found = (request: MessageInitShape<typeof ListSignInsRequestSchema>) => list({ organizationId, ...request })
      assert.equal((await found({ outcome: SignInOutcome.SUCCEEDED })).length, 1)
      assert.equal((await found({ method: SignInMethod.PASSKEY })).length, 0)
      assert.equal((await found({ failure: SignInFailure.WRONG_PASSWORD })).length, 1)
      const until = { seconds: BigInt(day / 1000), nanos: 0 }
      assert.equal((await found({ until })).length, 0)
      assert.equal((await found({ since: until })).length, 2)
      world.clock.now = start
    })

    test('that fail by the thousand are all counted, but few are kept', { timeout: 300_000 }, async () => {
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: `Attacked ${engine.name}` },
        world.owner,
      )
      const refused = (index: number) =>
        world.app.lifecycle.whenSignInRefused(world.app, {
          origin: { actor: 'visitor', at: instant(world.clock.now + index) },
          check: 'password',
          code: 'password.wrong',
          organizationId,
        })
      const tries = MOST_FAILURES_IN_HOUR + 40
      for (let start = 0; start < tries; start += 100) {
        await Promise.all(Array.from({ length: Math.min(100, tries - start) }, (_, index) => refused(start + index)))
      }
      await flush(world.app)
      const scope = { case: 'organizationId', value: organizationId } as const
      assert.equal((await failures({ scope })).get(SignInFailure.UNKNOWN_USER), tries)
      const { pagination } = await world.call(listSignIns, { organizationId }, world.owner)
      assert.equal(Number(pagination?.totalResult), MOST_FAILURES_IN_HOUR)
      const before = await world.call(countSignIns, { scope }, world.owner)
      await world.store.rebuild()
      assert.deepEqual(await world.call(countSignIns, { scope }, world.owner), before)
    })
  })
}
