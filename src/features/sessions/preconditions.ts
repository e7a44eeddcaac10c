/**
 * What must be true before a check or a challenge is looked at. Asked before the evidence is gathered, so that nothing is
 * hashed or used up in vain, and again by the decision. Pure.
 */
import type { LoginSettings } from '../settings/index.ts'
import type { SessionRefusal } from './refusals.ts'
import type { OpenSession } from './state.ts'

/** The checks, in the order in which they run. */
export const CHECKS = [
  'user',
  'password',
  'intent',
  'web_auth_n',
  'totp',
  'otp_sms',
  'otp_email',
  'recovery_code',
] as const

export type CheckName = (typeof CHECKS)[number]

/** A second factor as the login settings name it. */
export type SecondFactorName = LoginSettings['secondFactors'][number]

/** The user that a request is about, as they are now, and what their organization allows. */
export interface Person {
  readonly userId: string
  readonly organizationId: string
  /** Neither locked nor deactivated. */
  readonly mayAct: boolean
  readonly isOrganizationActive: boolean
  readonly login: LoginSettings
}

/** Failed checks after which a session takes no more of them: its stream must not grow for ever. */
export const MOST_FAILURES = 100

/** The refusal of a precondition that does not hold; undefined when it holds. */
type Unmet = SessionRefusal | undefined

/** Why nothing can be done for a person now; undefined when they and their organization are active. */
export function personPrecondition(person: Person | undefined): Unmet {
  if (person === undefined) return 'session.no_user'
  if (!person.mayAct) return 'session.user_not_active'
  return person.isOrganizationActive ? undefined : 'session.organization_inactive'
}

function allows({ login }: Person, factor: SecondFactorName): Unmet {
  return login.secondFactors.includes(factor) ? undefined : 'session.second_factor_not_allowed'
}

function keyPrecondition(person: Person, isPasskey: boolean): Unmet {
  if (!isPasskey) return allows(person, 'u2f')
  return person.login.allowsPasskeys ? undefined : 'session.passkey_not_allowed'
}

/** Whether an open challenge asks for a passkey of any user. */
export function asksForAnyUser({ challenges }: OpenSession): boolean {
  return challenges.webAuthN?.allowed.length === 0
}

function factorPrecondition(session: OpenSession, check: CheckName, person: Person): Unmet {
  const { challenges, failures } = session
  switch (check) {
    case 'user':
      return undefined
    case 'password':
      return person.login.allowsPassword ? undefined : 'session.password_not_allowed'
    case 'intent':
      if (!person.login.allowsExternal) return 'session.external_not_allowed'
      return failures < MOST_FAILURES ? undefined : 'session.too_many_failures'
    case 'web_auth_n':
      if (challenges.webAuthN === undefined) return 'session.no_challenge'
      if (failures >= MOST_FAILURES) return 'session.too_many_failures'
      return keyPrecondition(person, challenges.webAuthN.userVerification === 'required')
    case 'otp_sms':
      return challenges.otpSms === undefined ? 'session.no_challenge' : allows(person, check)
    case 'otp_email':
      return challenges.otpEmail === undefined ? 'session.no_challenge' : allows(person, check)
    case 'totp':
    case 'recovery_code':
      return allows(person, check)
  }
}

/** Why a check of this person cannot be made on this session; undefined when it can. */
export function checkPrecondition(session: OpenSession, check: CheckName, person: Person | undefined): Unmet {
  if (person === undefined) return 'session.no_user'
  if (check === 'user' && session.user !== undefined && session.user.id !== person.userId) return 'session.other_user'
  if (check !== 'user' && session.user?.id !== person.userId) return 'session.no_user'
  return personPrecondition(person) ?? factorPrecondition(session, check, person)
}

/** What can be asked of a person. */
export type ChallengeName = 'passkey' | 'second_factor_key' | 'otp_sms' | 'otp_email'

/** Why nothing of this kind can be asked of this person; undefined when it can. */
export function challengePrecondition(
  session: OpenSession,
  challenge: ChallengeName,
  person: Person | undefined,
): Unmet {
  if (person === undefined || session.user?.id !== person.userId) return 'session.no_user'
  const unmet = personPrecondition(person)
  if (unmet !== undefined) return unmet
  if (challenge === 'passkey') return keyPrecondition(person, true)
  return challenge === 'second_factor_key' ? keyPrecondition(person, false) : allows(person, challenge)
}
