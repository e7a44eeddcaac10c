/** Why a sign-in failed or needs more, and which setting decided it. */
import type { App, RefusedSignIn } from '../../module/app.ts'
import { mustBeChanged, passwordFacts } from '../passwords/index.ts'
import type { Factors, UserSession } from '../sessions/index.ts'
import { type LoginSettings, settingsLevel, settingsOfUser } from '../settings/index.ts'
import { type Step as SignInStep, secondFactorsOf } from '../sign-in/index.ts'
import { users } from '../users/index.ts'
import { attempts } from '../verifications/index.ts'
import type { Method, Reason, Setting, StepKind } from './events.ts'

/** The step of a check. */
export const STEP_OF_CHECK: Readonly<Record<string, StepKind>> = {
  user: 'user',
  password: 'password',
  intent: 'identity_provider',
  web_auth_n: 'passkey',
  totp: 'totp',
  otp_sms: 'otp_sms',
  otp_email: 'otp_email',
  recovery_code: 'recovery_code',
}

/** The first factor that a step stands for, if it is one. */
export const METHOD_OF_STEP: Readonly<Partial<Record<StepKind, Method>>> = {
  password: 'password',
  passkey: 'passkey',
  identity_provider: 'identity_provider',
}

const WRONG: Readonly<Record<string, Reason>> = {
  password: 'wrong_password',
  intent: 'identity_provider',
  web_auth_n: 'passkey',
  totp: 'wrong_totp',
  otp_sms: 'wrong_code',
  otp_email: 'wrong_code',
  recovery_code: 'wrong_recovery_code',
}

const LOCKED: ReadonlySet<string> = new Set(['attempts.locked', 'attempts.too_many', 'session.too_many_failures'])

/** The settings that do not allow a check, by the code of the refusal. */
const NOT_ALLOWED: Readonly<Record<string, (login: LoginSettings) => readonly [name: string, value: string]>> = {
  'session.password_not_allowed': () => ['allowUsernamePassword', 'false'],
  'session.passkey_not_allowed': () => ['passkeysType', 'PASSKEYS_TYPE_NOT_ALLOWED'],
  'session.external_not_allowed': () => ['allowExternalIdp', 'false'],
  'session.second_factor_not_allowed': ({ secondFactors }) => ['secondFactors', secondFactors.join(', ')],
}

/** No sign-in of a person: the caller asked for something that is not there, may not ask, or the server is busy. */
const NOTHING =
  /^(?:access|store)\.|^session\.(?:not_found|id_taken|ended|expired|token_invalid|other_user|no_user|no_challenge|challenge_replaced|code_not_returned|not_prolonged|metadata_too_large)$/

/** No user has this ID: there is a space in it. What is read of users is read for nobody, too. */
const NOBODY = 'no one'

export interface Explained {
  readonly reason: Reason
  readonly setting?: Setting
}

/** The lock of the factor that was tried, as it is counted for the user. */
async function isFactorLocked({ store }: App, userId: string, { origin, check }: RefusedSignIn): Promise<boolean> {
  const until = (await store.get(attempts, userId))?.state.lockedUntil ?? 0
  return until > origin.at && check === 'password'
}

/** Why a sign-in was refused; undefined when that was no sign-in. What is read is the same for users and for nobody. */
export async function explainRefusal(app: App, refused: RefusedSignIn): Promise<Explained | undefined> {
  const { check, code, userId, organizationId } = refused
  if (NOTHING.test(code)) return undefined
  const who = { userId: userId ?? NOBODY, organizationId: organizationId ?? app.instanceId }
  const [user, isLocked, settings] = await Promise.all([
    app.store.get(users, who.userId),
    isFactorLocked(app, who.userId, refused),
    settingsOfUser(app, who),
  ])
  if (userId === undefined) {
    if (check === 'intent') return { reason: 'identity_provider' }
    return check === 'web_auth_n' ? { reason: 'passkey' } : { reason: 'unknown_user' }
  }
  const status = user?.state.status
  if (status === 'locked') return { reason: 'user_locked' }
  if (status === 'inactive' || code === 'session.organization_inactive') return { reason: 'user_inactive' }
  if (refused.setting !== undefined) return { reason: 'not_allowed', setting: refused.setting }
  const notAllowed = NOT_ALLOWED[code]?.(settings.login)
  if (notAllowed !== undefined) {
    const [name, value] = notAllowed
    return { reason: 'not_allowed', setting: { name, value, level: await settingsLevel(app, who, 'login') } }
  }
  if (isLocked || LOCKED.has(code)) {
    const level = await settingsLevel(app, who, 'lockout')
    const isPassword = check === 'password'
    const most = isPassword ? settings.maxPasswordAttempts : settings.maxOtpAttempts
    const name = isPassword ? 'maxPasswordAttempts' : 'maxOtpAttempts'
    return { reason: 'factor_locked', setting: { name, value: String(most), level } }
  }
  const reason = WRONG[check]
  return reason && { reason }
}

/** The setting because of which a sign-in needs one more step. */
export async function explainNeed(app: App, session: UserSession, step: SignInStep): Promise<Setting | undefined> {
  const { id: userId, organizationId } = session.user
  const who = { userId, organizationId }
  const settings = await settingsOfUser(app, who)
  const { login } = settings
  if (step === 'change_password') {
    const facts = (await passwordFacts(app, [userId])).get(userId)
    if (mustBeChanged(facts, { passwordMaxAgeMs: 0 }, facts?.changedAt ?? session.user.checkedAt)) {
      return { name: 'passwordChangeRequired', value: 'true', level: 'user' }
    }
    const days = Math.round(settings.passwordMaxAgeMs / 86_400_000)
    return {
      name: 'maxAgeDays',
      value: String(days),
      level: await settingsLevel(app, who, 'passwordExpiry'),
    }
  }
  if (step === 'none') return undefined
  if (login.requiresSecondFactor || login.requiresSecondFactorLocalOnly) {
    const name = login.requiresSecondFactor ? 'forceMfa' : 'forceMfaLocalOnly'
    return { name, value: 'true', level: await settingsLevel(app, who, 'login') }
  }
  const own = await secondFactorsOf(app, userId, login)
  return { name: 'secondFactors', value: own.join(', '), level: 'user' }
}

/** The first factor of a session. */
export function methodOf({
  webAuthN,
  intent,
  password,
  totp,
  otpSms,
  otpEmail,
  recoveryCode,
}: Factors): Method | undefined {
  if (webAuthN?.use === 'passkey') return 'passkey'
  if (intent !== undefined) return 'identity_provider'
  if (password !== undefined) return 'password'
  const hasCode = [totp, otpSms, otpEmail, recoveryCode].some((one) => one !== undefined)
  return hasCode || webAuthN !== undefined ? 'one_time_code' : undefined
}
