import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserVerificationRequirement } from '../../../contract/gen/signet/session/v2/check_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Authenticator } from '../../../test/support/authenticator.ts'
import { engines } from '../../../test/support/engines.ts'
import {
  DOMAIN,
  type Held,
  ORIGIN,
  openSessionHouse,
  type Person,
  passwordCheck,
  type SessionHouse,
  userCheck,
  v2,
} from '../../../test/support/session-house.ts'
import { isRefused } from '../../../test/support/small-house.ts'
import { totpCode, totpStep } from '../../crypto/totp.ts'
import { instant } from '../../kernel/instant.ts'
import { appointMember } from '../memberships/index.ts'
import { createSession, stranger, updateSession } from './index.ts'

const HOUR = 3_600_000
const { REQUIRED, PREFERRED } = UserVerificationRequirement
const users = UserService.method
const v1 = ManagementService.method

for (const engine of engines) {
  suite(`who shows a session token on ${engine.name}`, () => {
    let house: SessionHouse
    before(async () => {
      house = await openSessionHouse(engine)
    })
    after(() => house.dispose())
    beforeEach(() => house.setLogin(house.defaultOrganizationId, {}))

    const now = () => house.clock.now
    const identify = ({ token }: Held, at = now()) => house.rooms.identify(token, at)

    /** Asks for a key, and answers it with this one. */
    const useKey = async (held: Held, authenticator: Authenticator, requirement: UserVerificationRequirement) => {
      const webAuthN = { domain: DOMAIN, userVerificationRequirement: requirement }
      const { sessionId } = held
      const asked = await house.call(
        v2.setSession,
        { sessionId, sessionToken: held.token, challenges: { webAuthN } },
        house.nobody,
      )
      const options = asked.challenges?.webAuthN?.publicKeyCredentialRequestOptions as JsonObject
      const credentialAssertionData = authenticator.get(options, { origin: ORIGIN })
      return {
        asked: { sessionId, token: asked.sessionToken },
        check: { checks: { webAuthN: { credentialAssertionData } } },
      }
    }

    const addOtp = async ({ userId }: Person) => {
      await house.call(users.addOTPEmail, { userId }, house.owner)
    }
    const useOtp = async (held: Held): Promise<Held> => {
      const challenges = { otpEmail: { deliveryType: { case: 'returnCode' as const, value: {} } } }
      const { sessionId, token: sessionToken } = held
      const asked = await house.call(v2.setSession, { sessionId, sessionToken, challenges }, house.login)
      const code = asked.challenges?.otpEmail ?? assert.fail('there is no code')
      return house.set({ sessionId, token: asked.sessionToken }, { checks: { otpEmail: { code } } })
    }

    test('is its user, with what the user holds and the time of the sign-in', async () => {
      const person = await house.addPerson()
      const scope = { level: 'organization', id: house.defaultOrganizationId } as const
      await house.store.write({ actor: 'system', at: now() }, (work) =>
        appointMember(work, { scope, userId: person.userId, roles: ['ORG_OWNER'] }),
      )
      const held = await house.signIn(person)
      const caller = await identify(held)
      assert.equal(caller?.userId, person.userId)
      assert.deepEqual(
        caller?.grants.map(({ roles }) => roles),
        [['ORG_OWNER']],
      )
      assert.equal(caller?.session?.id, held.sessionId)
      assert.equal(caller?.session?.authenticatedAt, now())
      const { user } = await house.call(AuthService.method.getMyUser, {}, { bearer: held.token })
      assert.equal(user?.id, person.userId)
    })

    test('is nobody before an authentication factor is checked', async () => {
      const person = await house.addPerson()
      assert.equal(await identify(await house.create()), undefined)
      const checked = await house.create({ checks: userCheck(person) })
      assert.equal(await identify(checked), undefined)
      await isRefused(house.call(AuthService.method.getMyUser, {}, { bearer: checked.token }), 'access.unauthenticated')
      assert.notEqual(await identify(await house.set(checked, { checks: passwordCheck() })), undefined)
    })

    test('is nobody with the token before the last update, on every node', async () => {
      const held = await house.signIn(await house.addPerson())
      const { rooms } = await house.another()
      assert.notEqual(await rooms.identify(held.token, now()), undefined)
      const next = await house.set(held, {})
      for (const identifyThere of [house.rooms.identify, rooms.identify]) {
        assert.equal(await identifyThere(held.token, now()), undefined)
        assert.notEqual(await identifyThere(next.token, now()), undefined)
      }
    })

    test('is nobody when session or factor are too old', async () => {
      await house.setLogin(house.defaultOrganizationId, { passwordLifetimeMs: 10 * HOUR, sessionLifetimeMs: 20 * HOUR })
      const held = await house.signIn(await house.addPerson())
      const start = now()
      assert.notEqual(await identify(held, instant(start + 10 * HOUR - 1)), undefined)
      assert.equal(await identify(held, instant(start + 10 * HOUR)), undefined)
      await house.setLogin(house.defaultOrganizationId, {})
      assert.notEqual(await identify(held, instant(start + 20 * HOUR - 1)), undefined)
      assert.equal(await identify(held, instant(start + 20 * HOUR)), undefined)
    })

    test('is nobody while the user is locked or deactivated', async () => {
      const person = await house.addPerson()
      const held = await house.signIn(person)
      const id = person.userId
      await house.call(v1.lockUser, { id }, house.owner)
      assert.equal(await identify(held), undefined)
      await house.call(v1.unlockUser, { id }, house.owner)
      assert.notEqual(await identify(held), undefined)
      await house.call(v1.deactivateUser, { id }, house.owner)
      assert.equal(await identify(held), undefined)
      await house.call(v1.reactivateUser, { id }, house.owner)
      assert.notEqual(await identify(held), undefined)
    })

    test('needs a second factor where the organization asks for it', async () => {
      const person = await house.addPerson()
      const held = await house.signIn(person)
      await house.setLogin(house.defaultOrganizationId, { requiresSecondFactor: true })
      assert.equal(await identify(held), undefined)
      await addOtp(person)
      const next = await useOtp(held)
      const start = now()
      assert.notEqual(await identify(next), undefined)
      assert.equal(await identify(next, instant(start + 18 * HOUR)), undefined)
    })

    test('needs a second factor when the person has set one up that is allowed', async () => {
      const person = await house.addPerson()
      const held = await house.signIn(person)
      assert.notEqual(await identify(held), undefined)
      await addOtp(person)
      assert.equal(await identify(held), undefined)
      await house.setLogin(house.defaultOrganizationId, { secondFactors: ['totp'] })
      assert.notEqual(await identify(held), undefined)
      await house.setLogin(house.defaultOrganizationId, {})
      assert.notEqual(await identify(await useOtp(held)), undefined)
    })

    test('takes a key as second factor, which alone is nothing', async () => {
      const person = await house.addPerson()
      const authenticator = await house.addKey(person, 'second_factor')
      const held = await house.signIn(person)
      assert.equal(await identify(held), undefined)
      const { asked, check } = await useKey(held, authenticator, PREFERRED)
      assert.notEqual(await identify(await house.set(asked, check)), undefined)
      const bare = await house.create({ checks: userCheck(person) })
      const second = await useKey(bare, authenticator, PREFERRED)
      assert.equal(await identify(await house.set(second.asked, second.check)), undefined)
    })

    test('takes a passkey for both factors', async () => {
      const person = await house.addPerson({ password: undefined })
      const authenticator = await house.addKey(person, 'passkey')
      await house.setLogin(house.defaultOrganizationId, { requiresSecondFactor: true })
      const held = await house.create({ checks: userCheck(person) })
      const { asked, check } = await useKey(held, authenticator, REQUIRED)
      const next = await house.set(asked, check)
      assert.notEqual(await identify(next), undefined)
      const { factors } = await house.get(held.sessionId)
      assert.equal(factors?.webAuthN?.userVerified, true)
      // The challenge was used up.
      await isRefused(house.set(next, check), 'session.no_challenge')
      await house.setLogin(house.defaultOrganizationId, { requiresSecondFactor: true, multiFactors: [] })
      assert.equal(await identify(next), undefined)
    })

    test('a wrong assertion is refused and remembered, and the challenge stays', async () => {
      const person = await house.addPerson()
      const authenticator = await house.addKey(person, 'passkey')
      const held = await house.create({ checks: userCheck(person) })
      const { asked, check } = await useKey(held, authenticator, REQUIRED)
      const stranger = { ...check.checks.webAuthN.credentialAssertionData, id: 'AAAA', rawId: 'AAAA' }
      const wrong = { checks: { webAuthN: { credentialAssertionData: stranger } } }
      await isRefused(house.set(asked, wrong), 'passkey.assertion_invalid')
      const types = (await house.store.events({ id: held.sessionId, limit: 100 })).map(({ type }) => type)
      assert.equal(types.at(-1), 'session.check_failed.v1')
      await house.set(asked, check)
    })

    test('a challenge expires, is replaced by the next one, and counts in its own session only', async () => {
      const person = await house.addPerson()
      const authenticator = await house.addKey(person, 'passkey')
      const [one, two] = await Promise.all([
        house.create({ checks: userCheck(person) }),
        house.create({ checks: userCheck(person) }),
      ])
      const first = await useKey(one, authenticator, REQUIRED)
      const other = await useKey(two, authenticator, REQUIRED)
      await isRefused(house.set(other.asked, first.check), 'passkey.assertion_invalid')
      const second = await useKey(first.asked, authenticator, REQUIRED)
      await isRefused(house.set(second.asked, first.check), 'passkey.assertion_invalid')
      const start = now()
      house.clock.now = instant(start + 300_000)
      await isRefused(house.set(second.asked, second.check), 'passkey.challenge_expired')
      house.clock.now = instant(start + 299_999)
      await house.set(second.asked, second.check)
    })

    test('a code is neither returned nor sent with a link of their own to those who show only a token', async () => {
      const person = await house.addPerson()
      await addOtp(person)
      const held = await house.signIn(person)
      const back = { otpEmail: { deliveryType: { case: 'returnCode' as const, value: {} } } }
      await isRefused(house.set(held, { challenges: back }), 'session.code_not_returned')
      const urlTemplate = 'https://evil.example/{{.Code}}'
      const link = { otpEmail: { deliveryType: { case: 'sendCode' as const, value: { urlTemplate } } } }
      await isRefused(house.set(held, { challenges: link }), 'session.code_not_returned')
      const mailed = await house.set(held, { challenges: { otpEmail: {} } })
      assert.equal(await identify(mailed), undefined)
    })

    test('takes codes of an app and recovery codes, each once, and all of a request or nothing', async () => {
      const person = await house.addPerson()
      const { userId } = person
      const { secret } = await house.call(users.registerTOTP, { userId }, house.owner)
      const code = (steps: number) => totpCode(secret, totpStep(now()) + steps)
      await house.call(users.verifyTOTPRegistration, { userId, code: code(-1) }, house.owner)
      const { recoveryCodes } = await house.call(users.generateRecoveryCodes, { userId, count: 2 }, house.owner)
      const held = await house.create({ checks: userCheck(person) })
      const wrong = { ...passwordCheck(), totp: { code: '000000' } }
      await assert.rejects(house.set(held, { checks: wrong, metadata: { a: 'b' } }))
      assert.deepEqual(Object.keys((await house.get(held.sessionId)).factors?.password ?? {}), [])
      assert.deepEqual((await house.get(held.sessionId)).metadata, {})
      const right = { checks: { ...passwordCheck(), totp: { code: code(0) } } }
      const next = await house.set(held, right)
      assert.notEqual(await identify(next), undefined)
      await assert.rejects(house.set(next, right))
      const recovery = { checks: { recoveryCode: { code: recoveryCodes[0] ?? '' } } }
      const last = await house.set(next, recovery)
      assert.ok((await house.get(held.sessionId)).factors?.recoveryCode)
      await assert.rejects(house.set(last, recovery))
      await house.set(last, { checks: { recoveryCode: { code: recoveryCodes[1] ?? '' } } })
    })

    test('a stranger before a page signs in with a passkey and no name', async () => {
      const person = await house.addPerson({ password: undefined })
      const authenticator = await house.addKey(person, 'passkey')
      const asker = stranger({ actor: 'anonymous', at: now() })
      const webAuthN = { domain: DOMAIN, userVerification: 'required', isForAnybody: true } as const
      const { session, token, challenges } = await createSession(house.rooms.sessions, asker, {
        challenges: { webAuthN },
      })
      const credential = authenticator.get(challenges.webAuthN ?? {}, {
        origin: ORIGIN,
        userHandle: authenticator.userHandle,
      })
      const update = { sessionId: session.id, token, checks: { webAuthN: credential } }
      const changed = await updateSession(house.rooms.sessions, asker, update)
      assert.equal(changed.session.state.user?.id, person.userId)
      assert.notEqual(await house.rooms.identify(changed.token, now()), undefined)
    })

    test('may change the session with its token as bearer, once with each', async () => {
      const held = await house.signIn(await house.addPerson())
      const { sessionId } = held
      const bearer = { bearer: held.token }
      const { sessionToken } = await house.call(v2.setSession, { sessionId, metadata: { a: 'b' } }, bearer)
      await isRefused(house.call(v2.setSession, { sessionId }, bearer), 'access.unauthenticated')
      const other = await house.create()
      await isRefused(
        house.call(v2.setSession, { sessionId: other.sessionId }, { bearer: sessionToken }),
        'access.forbidden',
      )
    })

    test('adds a way to sign in only after a fresh sign-in', async () => {
      const person = await house.addPerson()
      const held = await house.signIn(person)
      const start = now()
      house.clock.now = instant(start + 15 * 60_000 + 1)
      const register = () => house.call(users.registerTOTP, { userId: person.userId }, { bearer: held.token })
      await isRefused(register(), 'access.sign_in_again')
      house.clock.now = instant(start + 15 * 60_000)
      await register()
    })
  })
}
