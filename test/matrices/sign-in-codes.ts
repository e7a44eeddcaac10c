/** Codes that people show while they sign in, or set up the app that shows them: rows of the matrix of things that count once. */
import { totpCode, totpStep } from '../../src/crypto/totp.ts'
import { userCheck, v2 } from '../support/session-world.ts'
import { type Artefact, none, type Row } from './artefact.ts'
import { type Checks, setChecks } from './checks.ts'
import { type Node, otherCode, type Scene, users } from './scene.ts'

const FIVE_MINUTES = 300_000
const STEP = 30_000
/** The secret of everybody's app but the other user's; both are base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const OTHER_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const codeRow: Row = {
  reuse: 'session.no_challenge',
  losers: ['session.no_challenge', 'otp.code_used'],
  otherUser: 'verification.code_invalid',
  otherSession: 'verification.code_invalid',
  otherPurpose: 'verification.code_invalid',
  expired: 'otp.challenge_expired',
  afterFailures: ['attempts.too_many', 'verification.code_invalid'],
  afterDeactivation: 'session.user_not_active',
}

function codeChallenge(medium: 'sms' | 'email'): Artefact {
  return {
    name: `one-time code by ${medium} of a session`,
    way: medium === 'sms' ? 'SetSession checks.otpSms.code' : 'SetSession checks.otpEmail.code',
    row: codeRow,
    async issue(scene) {
      const people = [
        await scene.addHuman({ hasVerifiedAddresses: true, totpSecret: SECRET }),
        await scene.addHuman({ hasVerifiedAddresses: true }),
      ]
      for (const userId of people) {
        await scene.call(users.addOTPSMS, { userId }, scene.owner)
        await scene.call(users.addOTPEmail, { userId }, scene.owner)
      }
      const [userId = '', other = ''] = people
      await scene.call(users.generateRecoveryCodes, { userId, count: 1 }, scene.owner)
      const otherUser = await scene.openSession(other)
      await scene.askForCode(otherUser, medium)
      const sessionId = await scene.openSession(userId)
      await scene.askForCode(sessionId, medium === 'sms' ? 'email' : 'sms')
      const code = await scene.askForCode(sessionId, medium)
      const show = (on: Node, id: string, text = code, as = medium) =>
        setChecks(scene, on, id, as === 'sms' ? { otpSms: { code: text } } : { otpEmail: { code: text } })
      return {
        userId,
        lifetimeMs: FIVE_MINUTES,
        use: (on) => show(on, sessionId),
        fail: (on) => show(on, sessionId, otherCode(code)),
        forOtherUsers: [() => show(scene.there, otherUser)],
        async inOtherSession() {
          const otherSession = await scene.openSession(userId)
          // Afterwards, so that it is the newest one and is compared.
          await scene.askForCode(otherSession, medium)
          await show(scene.there, otherSession)
        },
        forOtherPurposes: [
          () => show(scene.there, sessionId, code, medium === 'sms' ? 'email' : 'sms'),
          () => setChecks(scene, scene.there, sessionId, { recoveryCode: { code } }),
          () => setChecks(scene, scene.there, sessionId, { totp: { code: code.slice(0, 6) } }),
        ],
      }
    },
  }
}

type Manner = 'SetSession' | 'CreateSession'

/** Shows something in a session of its own each time, so that nothing but the code is in the way. */
async function showIn(manner: Manner, scene: Scene, on: Node, userId: string, checks: Checks): Promise<unknown> {
  return manner === 'SetSession'
    ? setChecks(scene, on, await scene.openSession(userId), checks)
    : on.call(v2.createSession, { checks: { ...userCheck({ userId }), ...checks } }, scene.login)
}

const ANY_SESSION = 'it is good in whichever session of the person is first'

function appCode(manner: Manner): Artefact {
  return {
    name: 'code of an authenticator app',
    way: `${manner} checks.totp.code`,
    row: {
      reuse: 'totp.code_used',
      losers: ['totp.code_used'],
      otherUser: 'verification.code_invalid',
      otherSession: none(ANY_SESSION),
      otherPurpose: 'verification.code_invalid',
      expired: 'verification.code_invalid',
      afterFailures: ['attempts.too_many', 'passes'],
      afterDeactivation: 'session.user_not_active',
    },
    async issue(scene) {
      const userId = await scene.addHuman({ hasVerifiedAddresses: true, totpSecret: SECRET })
      const other = await scene.addHuman({ totpSecret: OTHER_SECRET })
      await scene.call(users.generateRecoveryCodes, { userId, count: 1 }, scene.owner)
      await scene.call(users.addOTPEmail, { userId }, scene.owner)
      const asked = await scene.openSession(userId)
      await scene.askForCode(asked, 'email')
      // At the start of its step, so that nothing of it is lost by waiting.
      scene.wait(STEP - (scene.clock.now % STEP))
      const code = totpCode(SECRET, totpStep(scene.clock.now))
      const show = (on: Node, whose: string, text = code) => showIn(manner, scene, on, whose, { totp: { code: text } })
      return {
        userId,
        lifetimeMs: 2 * STEP,
        use: (on) => show(on, userId),
        fail: (on) => show(on, userId, otherCode(code)),
        forOtherUsers: [() => show(scene.there, other)],
        forOtherPurposes: [
          () => showIn(manner, scene, scene.there, userId, { recoveryCode: { code } }),
          () => setChecks(scene, scene.there, asked, { otpEmail: { code } }),
        ],
      }
    },
  }
}

function recoveryCode(manner: Manner): Artefact {
  return {
    name: 'recovery code',
    way: `${manner} checks.recoveryCode.code`,
    row: {
      reuse: 'recovery_codes.code_used',
      losers: ['recovery_codes.code_used'],
      otherUser: 'verification.code_invalid',
      otherSession: none(ANY_SESSION),
      otherPurpose: 'verification.code_invalid',
      expired: none('it is kept on paper until it is needed'),
      afterFailures: ['attempts.too_many', 'passes'],
      afterDeactivation: 'session.user_not_active',
    },
    async issue(scene) {
      const userId = await scene.addHuman({ hasVerifiedAddresses: true })
      const other = await scene.addHuman()
      const generate = async (whose: string) =>
        (await scene.call(users.generateRecoveryCodes, { userId: whose, count: 2 }, scene.owner)).recoveryCodes[0] ?? ''
      await generate(other)
      const code = await generate(userId)
      await scene.call(users.addOTPEmail, { userId }, scene.owner)
      const asked = await scene.openSession(userId)
      await scene.askForCode(asked, 'email')
      const show = (on: Node, whose: string, text = code) =>
        showIn(manner, scene, on, whose, { recoveryCode: { code: text } })
      return {
        userId,
        use: (on) => show(on, userId),
        fail: (on) => show(on, userId, otherCode(code)),
        forOtherUsers: [() => show(scene.there, other)],
        forOtherPurposes: [() => setChecks(scene, scene.there, asked, { otpEmail: { code } })],
      }
    },
  }
}

const appRegistration: Artefact = {
  name: 'registration of an authenticator app',
  way: 'VerifyTOTPRegistration code',
  row: {
    reuse: 'totp.already_set_up',
    losers: ['totp.already_set_up'],
    otherUser: 'verification.code_invalid',
    otherSession: 'access.forbidden',
    otherPurpose: 'totp.not_set_up',
    expired: 'verification.code_invalid',
    afterFailures: ['attempts.too_many', 'passes'],
    afterDeactivation: 'user.not_active',
  },
  async issue(scene) {
    const { call, owner } = scene
    const [userId, other] = [await scene.addHuman(), await scene.addHuman()]
    const stranger = await scene.addPerson()
    const { token } = await scene.signIn(stranger)
    await call(users.registerTOTP, { userId: other }, owner)
    const { secret } = await call(users.registerTOTP, { userId }, owner)
    scene.wait(STEP - (scene.clock.now % STEP))
    const right = totpCode(secret, totpStep(scene.clock.now))
    const show = (on: Node, whose: string, code = right, as = owner) =>
      on.call(users.verifyTOTPRegistration, { userId: whose, code }, as)
    return {
      userId,
      lifetimeMs: 2 * STEP,
      use: (on) => show(on, userId),
      fail: (on) => show(on, userId, otherCode(right)),
      forOtherUsers: [() => show(scene.there, other)],
      inOtherSession: () => show(scene.there, userId, right, { bearer: token }),
      // Signing in with an app that nobody has proved to have.
      forOtherPurposes: [() => showIn('SetSession', scene, scene.there, userId, { totp: { code: right } })],
    }
  },
}

/** All of them. */
export const signInArtefacts: readonly Artefact[] = [
  appRegistration,
  codeChallenge('email'),
  codeChallenge('sms'),
  appCode('SetSession'),
  appCode('CreateSession'),
  recoveryCode('SetSession'),
  recoveryCode('CreateSession'),
]
