import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { AuthService } from '../../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserVerificationRequirement } from '../../../../contract/gen/signet/session/v2/check_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Authenticator } from '../../../../test/support/authenticator.ts'
import { engines } from '../../../../test/support/engines.ts'
import {
  DOMAIN,
  type Held,
  ORIGIN,
  openSessionWorld,
  type Person,
  passwordCheck,
  type SessionWorld,
  userCheck,
  v2,
} from '../../../../test/support/session-world.ts'
import { isRefused } from '../../../../test/support/small-world.ts'
import { totpCode, totpStep } from '../../../crypto/totp.ts'
import { instant } from '../../../kernel/instant.ts'
import { appointMember } from '../../administrators/index.ts'
import { identifyBearer } from './identify-bearer.ts'
import { askForPasskey, signInWithPasskey } from './sign-in-with-passkey.ts'

const HOUR = 3_600_000
const { REQUIRED, PREFERRED } = UserVerificationRequirement
const users = UserService.method
const v1 = ManagementService.method

for (const engine of engines) {
  suite(`who shows a session token on ${engine.name}`, () => {
    let world: SessionWorld
    before(async () => {
      world = await openSessionWorld(engine)
    })
    after(() => world.dispose())
    beforeEach(() => world.setLogin(world.defaultOrganizationId, {}))

    const now = () => world.clock.now
    const identify = ({ token }: Held, at = now()) => identifyBearer(world.app, token, at)

    /** Asks for a key, and answers it with this one. */
    const useKey = async (held: Held, authenticator: Authenticator, requirement: UserVerificationRequirement) => {
      const webAuthN = { domain: DOMAIN, userVerificationRequirement: requirement }
      const { sessionId } = held
      const asked = await world.call(
        v2.setSession,
        { sessionId, sessionToken: held.token, challenges: { webAuthN } },
        world.nobody,
      )
      const options = asked.challenges?.webAuthN?.publicKeyCredentialRequestOptions as JsonObject
      const credentialAssertionData = authenticator.get(options, { origin: ORIGIN })
      return {
        asked: { sessionId, token: asked.sessionToken },
        check: { checks: { webAuthN: { credentialAssertionData } } },
      }
    }

    const addOtp = async ({ userId }: Person) => {
      await world.call(users.addOTPEmail, { userId }, world.owner)
    }
    const useOtp = async (held: Held): Promise<Held> => {
      const challenges = { otpEmail: { deliveryType: { case: 'returnCode' as const, value: {} } } }
      const { sessionId, token: sessionToken } = held
      const asked = await world.call(v2.setSession, { sessionId, sessionToken, challenges }, world.login)
      const code = asked.challenges?.otpEmail ?? assert.fail('there is no code')
      return world.set({ sessionId, token: asked.sessionToken }, { checks: { otpEmail: { code } } })
    }

    test('is its user, with what the user holds and the time of the sign-in', async () => {
      const person = await world.addPerson()
      const scope = { level: 'organization', id: world.defaultOrganizationId } as const
      await world.store.write({ actor: 'server', at: now() }, (work) =>
        appointMember(work, { scope, userId: person.userId, roles: ['ORG_OWNER'] }),
      )
      const held = await world.signIn(person)
      const caller = await identify(held)
      assert.equal(caller?.userId, person.userId)
      assert.deepEqual(
        caller?.grants.map(({ roles }) => roles),
        [['ORG_OWNER']],
      )
      assert.equal(caller?.session?.id, held.sessionId)
      assert.equal(caller?.session?.authenticatedAt, now())
      const { user } = await world.call(AuthService.method.getMyUser, {}, { bearer: held.token })
      assert.equal(user?.id, person.userId)
    })

    test('is refused before an authentication factor is checked', async () => {
      const person = await world.addPerson()
      assert.equal(await identify(await world.create()), undefined)
      const checked = await world.create({ checks: userCheck(person) })
      assert.equal(await identify(checked), undefined)
      await isRefused(world.call(AuthService.method.getMyUser, {}, { bearer: checked.token }), 'access.unauthenticated')
      assert.notEqual(await identify(await world.set(checked, { checks: passwordCheck() })), undefined)
    })

    test('is refused with the token before the last update, on every node', async () => {
      const held = await world.signIn(await world.addPerson())
      const other = await world.another()
      assert.notEqual(await identifyBearer(other.app, held.token, now()), undefined)
      const next = await world.set(held, {})
      for (const { app } of [world, other]) {
        assert.equal(await identifyBearer(app, held.token, now()), undefined)
        assert.notEqual(await identifyBearer(app, next.token, now()), undefined)
      }
    })

    test('is refused when session or factor are too old', async () => {
      await world.setLogin(world.defaultOrganizationId, { passwordLifetimeMs: 10 * HOUR, sessionLifetimeMs: 20 * HOUR })
      const held = await world.signIn(await world.addPerson())
      const start = now()
      assert.notEqual(await identify(held, instant(start + 10 * HOUR - 1)), undefined)
      assert.equal(await identify(held, instant(start + 10 * HOUR)), undefined)
      await world.setLogin(world.defaultOrganizationId, {})
      assert.notEqual(await identify(held, instant(start + 20 * HOUR - 1)), undefined)
      assert.equal(await identify(held, instant(start + 20 * HOUR)), undefined)
    })

    test('is refused from the time when the user is locked or deactivated; a session from after that is not', async () => {
      const person = await world.addPerson()
      const held = await world.signIn(person)
      const id = person.userId
      await world.call(v1.lockUser, { id }, world.owner)
      assert.equal(await identify(held), undefined)
      await world.call(v1.unlockUser, { id }, world.owner)
      assert.equal(await identify(held), undefined)
      const next = await world.signIn(person)
      assert.notEqual(await identify(next), undefined)
      await world.call(v1.deactivateUser, { id }, world.owner)
      assert.equal(await identify(next), undefined)
      await world.call(v1.reactivateUser, { id }, world.owner)
      assert.equal(await identify(next), undefined)
    })

    test('needs a second factor where the organization asks for it', async () => {
      const person = await world.addPerson()
      const held = await world.signIn(person)
      await world.setLogin(world.defaultOrganizationId, { requiresSecondFactor: true })
      assert.equal(await identify(held), undefined)
      await addOtp(person)
      const next = await useOtp(held)
      const start = now()
      assert.notEqual(await identify(next), undefined)
      assert.equal(await identify(next, instant(start + 18 * HOUR)), undefined)
    })

    test('needs a second factor when the person has set one up that is allowed', async () => {
      const person = await world.addPerson()
      const held = await world.signIn(person)
      assert.notEqual(await identify(held), undefined)
      await addOtp(person)
      assert.equal(await identify(held), undefined)
      await world.setLogin(world.defaultOrganizationId, { secondFactors: ['totp'] })
      assert.notEqual(await identify(held), undefined)
      await world.setLogin(world.defaultOrganizationId, {})
      assert.notEqual(await identify(await useOtp(held)), undefined)
    })

    test('takes a key as second factor, which alone is nothing', async () => {
      const person = await world.addPerson()
      const authenticator = await world.addKey(person, 'second_factor')
      const held = await world.signIn(person)
      assert.equal(await identify(held), undefined)
      const { asked, check } = await useKey(held, authenticator, PREFERRED)
      assert.notEqual(await identify(await world.set(asked, check)), undefined)
      const bare = await world.create({ checks: userCheck(person) })
      const second = await useKey(bare, authenticator, PREFERRED)
      assert.equal(await identify(await world.set(second.asked, second.check)), undefined)
    })

    test('takes a passkey for both factors', async () => {
      const person = await world.addPerson({ password: undefined })
      const authenticator = await world.addKey(person, 'passkey')
      await world.setLogin(world.defaultOrganizationId, { requiresSecondFactor: true })
      const held = await world.create({ checks: userCheck(person) })
      const { asked, check } = await useKey(held, authenticator, REQUIRED)
      const next = await world.set(asked, check)
      assert.notEqual(await identify(next), undefined)
      const { factors } = await world.get(held.sessionId)
      assert.equal(factors?.webAuthN?.userVerified, true)
      // The challenge was used up.
      await isRefused(world.set(next, check), 'session.no_challenge')
      await world.setLogin(world.defaultOrganizationId, { requiresSecondFactor: true, multiFactors: [] })
      assert.equal(await identify(next), undefined)
    })

    test('a wrong assertion is refused and remembered, and the challenge stays', async () => {
      const person = await world.addPerson()
      const authenticator = await world.addKey(person, 'passkey')
      const held = await world.create({ checks: userCheck(person) })
      const { asked, check } = await useKey(held, authenticator, REQUIRED)
      const unknown = { ...check.checks.webAuthN.credentialAssertionData, id: 'AAAA', rawId: 'AAAA' }
      const wrong = { checks: { webAuthN: { credentialAssertionData: unknown } } }
      await isRefused(world.set(asked, wrong), 'passkey.assertion_invalid')
      const types = (await world.store.events({ id: held.sessionId, limit: 100 })).map(({ type }) => type)
      assert.equal(types.at(-1), 'session.check_failed.v1')
      await world.set(asked, check)
    })

    test('a challenge expires, is replaced by the next one, and counts in its own session only', async () => {
      const person = await world.addPerson()
      const authenticator = await world.addKey(person, 'passkey')
      const [one, two] = await Promise.all([
        world.create({ checks: userCheck(person) }),
        world.create({ checks: userCheck(person) }),
      ])
      const first = await useKey(one, authenticator, REQUIRED)
      const other = await useKey(two, authenticator, REQUIRED)
      await isRefused(world.set(other.asked, first.check), 'passkey.assertion_invalid')
      const second = await useKey(first.asked, authenticator, REQUIRED)
      await isRefused(world.set(second.asked, first.check), 'passkey.assertion_invalid')
      const start = now()
      world.clock.now = instant(start + 300_000)
      await isRefused(world.set(second.asked, second.check), 'passkey.challenge_expired')
      world.clock.now = instant(start + 299_999)
      await world.set(second.asked, second.check)
    })

    test('a code is neither returned nor sent with a link of their own to those who show only a token', async () => {
      const person = await world.addPerson()
      await addOtp(person)
      const held = await world.signIn(person)
      const back = { otpEmail: { deliveryType: { case: 'returnCode' as const, value: {} } } }
      await isRefused(world.set(held, { challenges: back }), 'session.code_not_returned')
      const urlTemplate = 'https://evil.example/{{.Code}}'
      const link = { otpEmail: { deliveryType: { case: 'sendCode' as const, value: { urlTemplate } } } }
      await isRefused(world.set(held, { challenges: link }), 'session.code_not_returned')
      const mailed = await world.set(held, { challenges: { otpEmail: {} } })
      assert.equal(await identify(mailed), undefined)
    })

    test('takes codes of an app and recovery codes, each once, and all of a request or nothing', async () => {
      const person = await world.addPerson()
      const { userId } = person
      const { secret } = await world.call(users.registerTOTP, { userId }, world.owner)
      const code = (steps: number) => totpCode(secret, totpStep(now()) + steps)
      await world.call(users.verifyTOTPRegistration, { userId, code: code(-1) }, world.owner)
      const { recoveryCodes } = await world.call(users.generateRecoveryCodes, { userId, count: 2 }, world.owner)
      const held = await world.create({ checks: userCheck(person) })
      const wrong = { ...passwordCheck(), totp: { code: '000000' } }
      await assert.rejects(world.set(held, { checks: wrong, metadata: { a: 'b' } }))
      assert.deepEqual(Object.keys((await world.get(held.sessionId)).factors?.password ?? {}), [])
      assert.deepEqual((await world.get(held.sessionId)).metadata, {})
      const right = { checks: { ...passwordCheck(), totp: { code: code(0) } } }
      const next = await world.set(held, right)
      assert.notEqual(await identify(next), undefined)
      await assert.rejects(world.set(next, right))
      const recovery = { checks: { recoveryCode: { code: recoveryCodes[0] ?? '' } } }
      const last = await world.set(next, recovery)
      assert.ok((await world.get(held.sessionId)).factors?.recoveryCode)
      await assert.rejects(world.set(last, recovery))
      await world.set(last, { checks: { recoveryCode: { code: recoveryCodes[1] ?? '' } } })
    })

    test('a visitor of a page signs in with a passkey and no name', async () => {
      const person = await world.addPerson({ password: undefined })
      const authenticator = await world.addKey(person, 'passkey')
      const client = { host: DOMAIN, description: 'Firefox, Linux' }
      const asked = await askForPasskey(world.app, client)
      assert.ok(asked.outcome === 'asked')
      const { publicKey, challenge } = asked
      const credential = authenticator.get({ publicKey }, { origin: ORIGIN })
      const shown = await signInWithPasskey(world.app, { challenge, credential, client, before: undefined })
      assert.ok(shown.outcome === 'done')
      assert.equal((await identifyBearer(world.app, shown.token, now()))?.userId, person.userId)
    })

    test('may change the session with its token as bearer, once with each', async () => {
      const held = await world.signIn(await world.addPerson())
      const { sessionId } = held
      const bearer = { bearer: held.token }
      const { sessionToken } = await world.call(v2.setSession, { sessionId, metadata: { a: 'b' } }, bearer)
      await isRefused(world.call(v2.setSession, { sessionId }, bearer), 'access.unauthenticated')
      const other = await world.create()
      await isRefused(
        world.call(v2.setSession, { sessionId: other.sessionId }, { bearer: sessionToken }),
        'access.forbidden',
      )
    })

    test('adds a way to sign in only after a fresh sign-in', async () => {
      const person = await world.addPerson()
      const held = await world.signIn(person)
      const start = now()
      world.clock.now = instant(start + 15 * 60_000 + 1)
      const register = () => world.call(users.registerTOTP, { userId: person.userId }, { bearer: held.token })
      await isRefused(register(), 'access.sign_in_again')
      world.clock.now = instant(start + 15 * 60_000)
      await register()
    })
  })
}
