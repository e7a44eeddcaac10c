/** What people and machines prove who they are with: the rows of the matrix of accounts. */
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { totpCode, totpStep } from '../../src/crypto/totp.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { ORIGIN, PASSWORD, passwordCheck, userCheck, v2 } from '../support/session-world.ts'
import { makeCode } from './codes.ts'
import { succeedAtProvider } from './intents.ts'
import { type NewHuman, type Node, returnCode, type Scene, users } from './scene.ts'
import type { State } from './states.ts'

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** Something ready to be used, and what uses it. */
export interface Held {
  readonly userId: string
  use(on: Node): Promise<unknown>
}

/** What people and machines prove who they are with, and what is heard in each state of the account. */
export interface Credential {
  readonly name: string
  /** Where the contract has it shown: message and field. Empty for what travels in a header. */
  readonly fields: readonly string[]
  readonly expected: Readonly<Record<State, string>>
  hold(scene: Scene, organizationId: string): Promise<Held>
}

const CHECKS = 'signet.session.v2.'
const UNAUTHENTICATED = 'access.unauthenticated'

/** Bearers are nobody's any more, but nobody can end those of others by failing. */
const BEARER: Credential['expected'] = {
  active: 'passes',
  locked: UNAUTHENTICATED,
  'locked by failures': 'passes',
  deactivated: UNAUTHENTICATED,
  removed: UNAUTHENTICATED,
  'organization deactivated': UNAUTHENTICATED,
  'organization removed': UNAUTHENTICATED,
  'organization removed and cleared': UNAUTHENTICATED,
}

const CHECK: Credential['expected'] = {
  active: 'passes',
  locked: 'session.user_not_active',
  'locked by failures': 'attempts.locked',
  deactivated: 'session.user_not_active',
  // Removing somebody ends their sessions.
  removed: 'session.ended',
  'organization deactivated': 'session.organization_inactive',
  'organization removed': 'session.organization_inactive',
  'organization removed and cleared': 'session.ended',
}

/** Who fails at guessing keeps nobody from using what cannot be guessed. */
const KEY_CHECK: Credential['expected'] = { ...CHECK, 'locked by failures': 'passes' }

/** Codes that were sent to their owner are the way back in. */
const CODE: Credential['expected'] = {
  active: 'passes',
  locked: 'user.not_active',
  'locked by failures': 'passes',
  deactivated: 'user.not_active',
  removed: 'user.not_found',
  'organization deactivated': 'verification.code_invalid',
  'organization removed': 'verification.code_invalid',
  'organization removed and cleared': 'user.not_found',
}

/** A lock or a deactivation ends what was sent before it. Where a password comes with the code, the user is asked about first. */
const SENT_CODE: Credential['expected'] = {
  ...CODE,
  locked: 'verification.code_invalid',
  deactivated: 'verification.code_invalid',
}

/** A registration that was begun ends with a lock as a code does that was sent. */
const BEGUN: Credential['expected'] = {
  ...CODE,
  locked: 'passkey.registration_expired',
  deactivated: 'passkey.registration_expired',
  'organization deactivated': 'passkey.registration_expired',
  'organization removed': 'passkey.registration_expired',
}

function whoAmI(bearer: string) {
  return (on: Node) => on.call(AuthService.method.getMyUser, {}, { bearer })
}

const token: Credential = {
  name: 'personal access token',
  fields: [],
  expected: BEARER,
  async hold(scene, organizationId) {
    const { userId, request } = await scene.addMachine({ organizationId })
    return { userId, use: whoAmI(request.bearer ?? '') }
  },
}

const sessionByPassword: Credential = {
  name: 'session token after a password',
  fields: [],
  expected: BEARER,
  async hold(scene, organizationId) {
    const userId = await scene.addHuman({ organizationId, password: PASSWORD })
    const checks = { ...userCheck({ userId }), ...passwordCheck() }
    const { sessionToken } = await scene.call(v2.createSession, { checks }, scene.login)
    return { userId, use: whoAmI(sessionToken) }
  },
}

const sessionByPasskey: Credential = {
  name: 'session token after a passkey',
  fields: [],
  expected: BEARER,
  async hold(scene, organizationId) {
    const userId = await scene.addHuman({ organizationId })
    const sessionId = await scene.openSession(userId)
    const passkey = await scene.giveKey(userId, 'passkey')
    const credentialAssertionData = await scene.askForKey(sessionId, passkey, 'passkey')
    const checks = { webAuthN: { credentialAssertionData } }
    const { sessionToken } = await scene.call(v2.setSession, { sessionId, checks }, scene.login)
    return { userId, use: whoAmI(sessionToken) }
  },
}

type Checks = NonNullable<Parameters<typeof checkWith>[2]>

function checkWith({ login }: Scene, sessionId: string, checks: Readonly<Record<string, object>>) {
  return (on: Node) => on.call(v2.setSession, { sessionId, checks }, login)
}

/** A check in a session that is about the person already. */
function check(
  name: string,
  field: string,
  expected: Credential['expected'],
  made: NewHuman,
  prepare: (scene: Scene, userId: string, sessionId: string) => Promise<Checks>,
): Credential {
  return {
    name,
    fields: [`${CHECKS}${field}`],
    expected,
    async hold(scene, organizationId) {
      const userId = await scene.addHuman({ organizationId, ...made })
      const sessionId = await scene.openSession(userId)
      return { userId, use: checkWith(scene, sessionId, await prepare(scene, userId, sessionId)) }
    },
  }
}

function keyCheck(name: string, use: 'passkey' | 'second_factor'): Credential {
  return check(name, 'CheckWebAuthN.credential_assertion_data', KEY_CHECK, {}, async (scene, userId, sessionId) => {
    const key = await scene.giveKey(userId, use)
    return { webAuthN: { credentialAssertionData: await scene.askForKey(sessionId, key, use) } }
  })
}

function codeCheck(medium: 'sms' | 'email'): Credential {
  return check(
    `one-time code by ${medium}`,
    'CheckOTP.code',
    CHECK,
    { hasVerifiedAddresses: true },
    async (scene, userId, sessionId) => {
      if (medium === 'sms') await scene.call(users.addOTPSMS, { userId }, scene.owner)
      else await scene.call(users.addOTPEmail, { userId }, scene.owner)
      const code = await scene.askForCode(sessionId, medium)
      return medium === 'sms' ? { otpSms: { code } } : { otpEmail: { code } }
    },
  )
}

/** A code that an administrator hands in for the person. */
function code(
  name: string,
  fields: readonly string[],
  show: (scene: Scene, on: Node, userId: string, code: string) => Promise<unknown>,
  make: (scene: Scene, userId: string) => Promise<string>,
  expected = SENT_CODE,
): Credential {
  return {
    name,
    fields: fields.map((field) => `signet.user.v2.${field}`),
    expected,
    async hold(scene, organizationId) {
      const userId = await scene.addHuman({ organizationId })
      const made = await make(scene, userId)
      return { userId, use: (on) => show(scene, on, userId, made) }
    },
  }
}

/** A registration that a code has begun: nothing is left to guess, so that failures elsewhere do not count. */
const begunByCode: Credential = {
  name: 'passkey registration begun with a code',
  fields: ['signet.user.v2.VerifyPasskeyRegistrationRequest.public_key_credential'],
  expected: BEGUN,
  async hold({ call, owner, ...scene }, organizationId) {
    const userId = await scene.addHuman({ organizationId })
    const { code: made } = await call(users.createPasskeyRegistrationLink, { userId, medium: returnCode }, owner)
    const started = await call(users.registerPasskey, { userId, ...(made && { code: made }) }, owner)
    const { passkeyId, publicKeyCredentialCreationOptions: options } = started
    const publicKeyCredential = newAuthenticator().create(options ?? {}, { origin: ORIGIN })
    const given = { userId, passkeyId, passkeyName: 'A key', publicKeyCredential }
    return { userId, use: (on) => on.call(users.verifyPasskeyRegistration, given, owner) }
  },
}

/** All of them. */
export const credentials: readonly Credential[] = [
  token,
  sessionByPassword,
  sessionByPasskey,
  check('password', 'CheckPassword.password', CHECK, { password: PASSWORD }, async () => passwordCheck()),
  keyCheck('passkey', 'passkey'),
  keyCheck('second-factor key', 'second_factor'),
  // What the app shows when it is asked: some states take a while to bring about.
  {
    name: 'code of an authenticator app',
    fields: [`${CHECKS}CheckTOTP.code`],
    expected: CHECK,
    async hold(scene, organizationId) {
      const userId = await scene.addHuman({ organizationId, totpSecret: SECRET })
      const sessionId = await scene.openSession(userId)
      const shown = () => totpCode(SECRET, totpStep(scene.clock.now))
      return { userId, use: (on) => checkWith(scene, sessionId, { totp: { code: shown() } })(on) }
    },
  },
  codeCheck('email'),
  codeCheck('sms'),
  check('recovery code', 'CheckRecoveryCode.code', CHECK, {}, async ({ call, owner }, userId) => {
    const { recoveryCodes } = await call(users.generateRecoveryCodes, { userId, count: 1 }, owner)
    return { recoveryCode: { code: recoveryCodes[0] ?? '' } }
  }),
  code(
    'e-mail code',
    ['VerifyEmailRequest.verification_code'],
    ({ owner }, on, userId, verificationCode) => on.call(users.verifyEmail, { userId, verificationCode }, owner),
    (scene, userId) => makeCode(scene, userId, 'email'),
  ),
  code(
    'phone code',
    ['VerifyPhoneRequest.verification_code'],
    ({ owner }, on, userId, verificationCode) => on.call(users.verifyPhone, { userId, verificationCode }, owner),
    (scene, userId) => makeCode(scene, userId, 'phone'),
  ),
  code(
    'password reset code',
    ['SetPasswordRequest.verification_code', 'SetPassword.verification_code'],
    ({ owner }, on, userId, value) => {
      const newPassword = { password: 'quite another secret' }
      return on.call(
        users.setPassword,
        { userId, newPassword, verification: { case: 'verificationCode', value } },
        owner,
      )
    },
    (scene, userId) => makeCode(scene, userId, 'password_reset'),
    CODE,
  ),
  code(
    'invite code',
    ['VerifyInviteCodeRequest.verification_code'],
    ({ owner }, on, userId, verificationCode) => on.call(users.verifyInviteCode, { userId, verificationCode }, owner),
    (scene, userId) => makeCode(scene, userId, 'invite'),
  ),
  code(
    'passkey registration code',
    ['PasskeyRegistrationCode.code'],
    ({ owner }, on, userId, text) => {
      const [id = '', value = ''] = text.split(' ')
      return on.call(users.registerPasskey, { userId, code: { id, code: value } }, owner)
    },
    async ({ call, owner }, userId) => {
      const made = await call(users.createPasskeyRegistrationLink, { userId, medium: returnCode }, owner)
      return `${made.code?.id} ${made.code?.code}`
    },
  ),
  begunByCode,
  check('sign-in at an identity provider', 'CheckIntent.token', KEY_CHECK, {}, async (scene, userId) => ({
    intent: await succeedAtProvider(scene, userId),
  })),
]
