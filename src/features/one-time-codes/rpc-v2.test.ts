/** Second factors that are typed, as clients set them up and see them. On both engines. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AuthenticationMethodType, AuthFactorState } from '../../../contract/gen/signet/user/v2/authentication_pb.ts'
import { AuthFactors } from '../../../contract/gen/signet/user/v2/one_time_code_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type CallMethod, type CallOptions, callMethods } from '../../../test/support/calls.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { openAuthorization } from '../../access/authorization.ts'
import type { Caller } from '../../access/call.ts'
import { totpCode, totpStep } from '../../crypto/totp.ts'
import { instant } from '../../kernel/instant.ts'
import { userNotFound } from '../users/index.ts'
import { attempts, countFailures, NO_ATTEMPTS } from '../verifications/index.ts'
import { checkTotp, oneTimeCodes } from './index.ts'

const v2 = UserService.method
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const { NOT_READY, READY } = AuthFactorState

interface NewPerson {
  readonly totpSecret?: string
  readonly isVerified?: boolean
}

for (const engine of engines) {
  suite(`setting up one-time codes on ${engine.name}`, () => {
    let world: World
    let count = 0
    before(async () => {
      world = await openWorld({ engine })
      const authorize = openAuthorization({
        identify: async (bearer) => callers.get(bearer) ?? personCaller(bearer),
        organization: async () => 'active',
        organizationOfUser: async () => world.defaultOrganizationId,
        userNotFound,
        organizationOfGroup: async () => undefined,
        placeOfProject: async () => undefined,
        apiProjectId: async () => '',
        instanceId: world.instanceId,
        clock: () => world.clock.now,
      })
      callAs = callMethods(world.methods, authorize)
    })
    after(() => world.dispose())

    /** Calls as the caller that the bearer names: one of the map, else the user with that id. */
    let callAs: CallMethod
    const callers = new Map<string, Caller>()
    const personCaller = (userId: string): Caller => ({
      userId,
      organizationId: world.defaultOrganizationId,
      grants: [],
    })

    const wait = (milliseconds: number) => {
      world.clock.now = instant(world.clock.now + milliseconds)
    }
    const failures = async (userId: string) =>
      countFailures((await world.store.get(attempts, userId))?.state ?? NO_ATTEMPTS)
    const known = { case: 'isVerified', value: true } as const
    const unknown = { case: 'isVerified', value: false } as const

    const addPerson = async ({ totpSecret, isVerified = true }: NewPerson = {}): Promise<string> => {
      const verification = isVerified ? known : unknown
      const request = {
        username: `setter-${++count}`,
        profile: { firstName: 'Ada', lastName: 'Lovelace' },
        email: { email: `setter-${count}@example.com`, verification },
        phone: { phone: '+41446681800', verification },
        ...(totpSecret !== undefined && { totpSecret }),
      }
      return (await world.call(v2.addHumanUser, request, world.owner)).userId
    }
    const shown = (secret: string) => totpCode(secret, totpStep(world.clock.now))
    const wrong = (code: string) => code.replace(/./, (first) => String((Number(first) + 1) % 10))
    const check = (userId: string, code: string) =>
      world.store.write({ actor: { user: 'test' }, at: world.clock.now }, (work) =>
        checkTotp(world.app, work, { userId, owner: world.defaultOrganizationId, code }),
      )

    const factors = async (userId: string, states: AuthFactorState[] = [], authFactors: AuthFactors[] = []) => {
      const { result } = await world.call(v2.listAuthenticationFactors, { userId, states, authFactors }, world.owner)
      return result.map(({ type, state }) => [type.case, state])
    }

    test('an app is set up by its user: secret, URI, then a code', async () => {
      const userId = await addPerson()
      const self = { bearer: userId }
      const { secret, uri, details } = await callAs(v2.registerTOTP, { userId }, self)
      assert.match(secret, /^[A-Z2-7]{32}$/)
      assert.ok(uri.startsWith(`otpauth://totp/localhost:setter-${count}?secret=${secret}&issuer=localhost`), uri)
      assert.equal(details?.resourceOwner, world.defaultOrganizationId)
      assert.deepEqual(await factors(userId), [])
      assert.deepEqual(await factors(userId, [NOT_READY]), [['otp', NOT_READY]])
      await isRefused(
        callAs(v2.verifyTOTPRegistration, { userId, code: wrong(shown(secret)) }, self),
        'verification.code_invalid',
      )
      assert.equal(await failures(userId), 1)
      await callAs(v2.verifyTOTPRegistration, { userId, code: shown(secret) }, self)
      assert.equal(await failures(userId), 0)
      assert.deepEqual(await factors(userId), [['otp', READY]])
      await isRefused(callAs(v2.registerTOTP, { userId }, self), 'totp.already_set_up')
      await isRefused(check(userId, shown(secret)), 'totp.code_used')
      wait(30_000)
      await check(userId, shown(secret))
      await callAs(v2.removeTOTP, { userId }, self)
      await isRefused(callAs(v2.removeTOTP, { userId }, self), 'totp.not_found')
      await isRefused(check(userId, shown(secret)), 'totp.not_set_up')
    })

    test('an app that is registered again has a new secret, and the old one proves nothing', async () => {
      const userId = await addPerson()
      await isRefused(world.call(v2.verifyTOTPRegistration, { userId, code: '123456' }, world.owner), 'totp.not_set_up')
      const first = await world.call(v2.registerTOTP, { userId }, world.owner)
      const second = await world.call(v2.registerTOTP, { userId }, world.owner)
      assert.notEqual(first.secret, second.secret)
      const verify = (secret: string) =>
        world.call(v2.verifyTOTPRegistration, { userId, code: shown(secret) }, world.owner)
      await isRefused(verify(first.secret), 'verification.code_invalid')
      await verify(second.secret)
      await isRefused(verify(second.secret), 'totp.already_set_up')
    })

    test('an app that a new user brings along is ready at once, in every method that adds users', async () => {
      const spaced = 'gezd gnbv gy3t qojq gezd gnbv gy3t qojq'
      const added = await addPerson({ totpSecret: spaced })
      const human = {
        profile: { firstName: 'Ada', lastName: 'Lovelace' },
        email: { email: `setter-${++count}@example.com`, verification: known },
        totpSecret: SECRET,
      }
      const organizationId = world.defaultOrganizationId
      const request = { organizationId, userType: { case: 'human', value: human } } as const
      const { id } = await world.call(v2.createUser, request, world.owner)
      for (const userId of [added, id]) {
        assert.deepEqual(await factors(userId), [['otp', READY]])
        await check(userId, shown(SECRET))
      }
      const bad = { organizationId, userType: { case: 'human', value: { ...human, totpSecret: 'no' } } } as const
      await isRefused(addPerson({ totpSecret: 'JBSWY3DP0000' }), 'user.totp_secret_invalid', 'totpSecret')
      await isRefused(world.call(v2.createUser, bad, world.owner), 'user.totp_secret_invalid', 'human.totpSecret')
    })

    test('sent codes need an address that is verified, and are set up once', async () => {
      const verified = await addPerson()
      const waiting = await addPerson({ isVerified: false })
      const adding = {
        sms: (userId: string) => callAs(v2.addOTPSMS, { userId }, { bearer: userId }),
        email: (userId: string) => callAs(v2.addOTPEmail, { userId }, { bearer: userId }),
      }
      await isRefused(adding.sms(waiting), 'otp.phone_not_verified')
      await isRefused(adding.email(waiting), 'otp.email_not_verified')
      await isRefused(callAs(v2.removeOTPSMS, { userId: waiting }, { bearer: waiting }), 'otp.not_found')
      await isRefused(callAs(v2.removeOTPEmail, { userId: waiting }, { bearer: waiting }), 'otp.not_found')
      for (const add of Object.values(adding)) {
        await add(verified)
        await isRefused(add(verified), 'otp.already_set_up')
      }
      assert.deepEqual(await factors(verified), [
        ['otpSms', READY],
        ['otpEmail', READY],
      ])
      await world.call(v2.setPhone, { userId: verified, phone: '+41446681801', verification: unknown }, world.owner)
      assert.deepEqual(await factors(verified), [['otpEmail', READY]])
      assert.deepEqual(await factors(verified, [READY, NOT_READY], [AuthFactors.OTP_SMS]), [['otpSms', NOT_READY]])
      await callAs(v2.removeOTPSMS, { userId: verified }, { bearer: verified })
      await callAs(v2.removeOTPEmail, { userId: verified }, { bearer: verified })
      assert.deepEqual(await factors(verified, [READY, NOT_READY]), [])
    })

    test('recovery codes are shown once, as many as asked for, and can be removed', async () => {
      const userId = await addPerson()
      const self = { bearer: userId }
      for (const many of [0, 51, -1]) {
        await isRefused(callAs(v2.generateRecoveryCodes, { userId, count: many }, self), 'request.invalid', 'count')
      }
      const { recoveryCodes } = await callAs(v2.generateRecoveryCodes, { userId, count: 50 }, self)
      assert.equal(new Set(recoveryCodes).size, 50)
      for (const code of recoveryCodes) assert.match(code, /^[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/)
      await callAs(v2.removeRecoveryCodes, { userId }, self)
      assert.ok((await callAs(v2.removeRecoveryCodes, { userId }, self)).details?.changeDate, 'a retry succeeds')
    })

    test('all of them are listed as authentication methods', async () => {
      const userId = await addPerson({ totpSecret: SECRET })
      await world.call(v2.addOTPSMS, { userId }, world.owner)
      await world.call(v2.addOTPEmail, { userId }, world.owner)
      await world.call(v2.generateRecoveryCodes, { userId, count: 1 }, world.owner)
      const { authMethodTypes } = await world.call(v2.listAuthenticationMethodTypes, { userId }, world.owner)
      const { TOTP, OTP_SMS, OTP_EMAIL, RECOVERY_CODE } = AuthenticationMethodType
      assert.deepEqual([...authMethodTypes].sort(), [TOTP, OTP_SMS, OTP_EMAIL, RECOVERY_CODE])
    })

    test('are changed by other users only with the permission in the organization, and never for users who hold more', async () => {
      const userId = await addPerson()
      const { secret } = await world.call(v2.registerTOTP, { userId }, world.owner)
      const granted = (name: string, organizationId: string, ...roles: string[]) => {
        callers.set(name, { userId: name, organizationId, grants: [{ scope: { organizationId }, roles }] })
        return { bearer: name }
      }
      const home = world.defaultOrganizationId
      type Attempt = (userId: string, request: CallOptions) => Promise<unknown>
      const all: readonly Attempt[] = [
        (id, request) => callAs(v2.registerTOTP, { userId: id }, request),
        (id, request) => callAs(v2.verifyTOTPRegistration, { userId: id, code: shown(secret) }, request),
        (id, request) => callAs(v2.removeTOTP, { userId: id }, request),
        (id, request) => callAs(v2.addOTPSMS, { userId: id }, request),
        (id, request) => callAs(v2.removeOTPSMS, { userId: id }, request),
        (id, request) => callAs(v2.addOTPEmail, { userId: id }, request),
        (id, request) => callAs(v2.removeOTPEmail, { userId: id }, request),
        (id, request) => callAs(v2.generateRecoveryCodes, { userId: id, count: 1 }, request),
        (id, request) => callAs(v2.removeRecoveryCodes, { userId: id }, request),
        (id, request) => callAs(v2.listAuthenticationFactors, { userId: id }, request),
      ]
      const outsider = { bearer: await addPerson() }
      const elsewhere = granted('elsewhere', 'another-organization', 'ORG_OWNER')
      for (const attempt of all) {
        await isRefused(attempt(userId, outsider), 'access.forbidden')
        // A caller who could not act on a user does not learn whether the user exists.
        await isRefused(attempt(userId, elsewhere), 'user.not_found')
        await isRefused(attempt('no-such-user', outsider), 'access.forbidden')
        await isRefused(attempt('no-such-user', elsewhere), 'user.not_found')
      }
      // A manager of users may remove, but not set up: that needs `user.credential.write`.
      const manager = granted('manager', home, 'ORG_USER_MANAGER')
      await isRefused(callAs(v2.registerTOTP, { userId }, manager), 'access.forbidden')
      await isRefused(callAs(v2.generateRecoveryCodes, { userId, count: 1 }, manager), 'access.forbidden')
      await callAs(v2.removeTOTP, { userId }, manager)
      // And the owner of an organization does not become the owner of the instance.
      const orgOwner = granted('org-owner', home, 'ORG_OWNER')
      await callAs(v2.registerTOTP, { userId }, orgOwner)
      const userIdAbove = world.administratorId
      await isRefused(callAs(v2.registerTOTP, { userId: userIdAbove }, orgOwner), 'user.above_own')
      const codes = callAs(v2.generateRecoveryCodes, { userId: userIdAbove, count: 1 }, orgOwner)
      await isRefused(codes, 'user.above_own')
    })

    test('are set up and removed with a session of which the sign-in is fresh', async () => {
      const userId = await addPerson()
      const session = { id: 's', tokenHash: 'x', authenticatedAt: world.clock.now }
      callers.set('browser', { ...personCaller(userId), session })
      const browser = { bearer: 'browser' }
      const { secret } = await callAs(v2.registerTOTP, { userId }, browser)
      wait(15 * 60_000 + 1)
      const late = 'access.sign_in_again'
      await isRefused(callAs(v2.verifyTOTPRegistration, { userId, code: shown(secret) }, browser), late)
      await isRefused(callAs(v2.registerTOTP, { userId }, browser), late)
      await isRefused(callAs(v2.addOTPSMS, { userId }, browser), late)
      await isRefused(callAs(v2.addOTPEmail, { userId }, browser), late)
      await isRefused(callAs(v2.generateRecoveryCodes, { userId, count: 1 }, browser), late)
      await isRefused(callAs(v2.removeTOTP, { userId }, browser), late)
    })

    test('are for humans who may act: no machine, no deactivated user, no unknown user', async () => {
      const { userId: machine } = await world.addMachine()
      await isRefused(world.call(v2.registerTOTP, { userId: machine }, world.owner), 'user.not_human')
      await isRefused(world.call(v2.registerTOTP, { userId: 'no-such-user' }, world.owner), 'user.not_found')
      const userId = await addPerson()
      const { secret } = await world.call(v2.registerTOTP, { userId }, world.owner)
      await world.call(v2.deactivateUser, { userId }, world.owner)
      for (const attempt of [
        () => world.call(v2.registerTOTP, { userId }, world.owner),
        () => world.call(v2.verifyTOTPRegistration, { userId, code: shown(secret) }, world.owner),
        () => world.call(v2.addOTPSMS, { userId }, world.owner),
        () => world.call(v2.addOTPEmail, { userId }, world.owner),
        () => world.call(v2.generateRecoveryCodes, { userId, count: 1 }, world.owner),
      ]) {
        await isRefused(attempt(), 'user.not_active')
      }
      await world.call(v2.removeTOTP, { userId }, world.owner)
    })

    test('stand nowhere in the log or the document as they were shown', async () => {
      const userId = await addPerson()
      const { secret } = await world.call(v2.registerTOTP, { userId }, world.owner)
      const { recoveryCodes } = await world.call(v2.generateRecoveryCodes, { userId, count: 3 }, world.owner)
      const events = await world.store.events({ id: userId, kinds: [oneTimeCodes.name], limit: 10 })
      const text = JSON.stringify([events, await world.store.get(oneTimeCodes, userId)])
      assert.equal(events.length, 2)
      for (const shownOnce of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))]) {
        assert.ok(!text.includes(shownOnce))
      }
      for (const { data } of events) {
        const { secret: kept, ...open } = data as { secret: Record<string, unknown> }
        assert.ok(kept)
        assert.ok(!JSON.stringify(open).includes('seal1'))
      }
    })
  })
}
