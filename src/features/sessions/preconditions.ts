/**
 * The preconditions of checks and challenges. They are checked before the evidence is gathered, so that nothing is
 * hashed or used up in vain, and again by the decision. Pure.
 */
import { type Generations, isCurrent } from '../../kernel/generations.ts'
import type { LoginSettings } from '../settings/index.ts'
import type { SessionEnding } from './events.ts'
import type { SessionRefusal } from './refusals.ts'
import type { CheckedUser, OpenSession } from './state.ts'

/** The checks, in the order in which they run. */
const CHECKS = ['user', 'password', 'intent', 'web_auth_n', 'totp', 'otp_sms', 'otp_email', 'recovery_code'] as const

export type CheckName = (typeof CHECKS)[number]

/** A second factor as the login settings name it. */
export type SecondFactorName = LoginSettings['secondFactors'][number]

/** The current state of the user of a request, and the rules of their organization. */
export interface Person {
  readonly userId: string
  readonly organizationId: string
  /** What keeps the user from signing in; undefined when they may act. */
  readonly stoppedBy?: 'user' | 'organization'
  readonly login: LoginSettings
  /** How often the user was locked out, and the organization closed, until now. */
  readonly generations: Generations<SessionEnding>
}

/** After this many failed checks a session accepts no more, so that its stream does not grow without limit. */
export const MOST_FAILURES = 100

/** The refusal of an unmet precondition; undefined when it is met. */
type Unmet = SessionRefusal | undefined

/** Why a user cannot sign in now; undefined when the user and their organization are active. */
function personPrecondition(person: Person | undefined): Unmet {
  if (person === undefined) return 'session.no_user'
  if (person.stoppedBy === undefined) return undefined
  return person.stoppedBy === 'user' ? 'session.user_not_active' : 'session.organization_inactive'
}

/** Why the user of a session cannot continue it; undefined when they can. What a lockout ended stays ended. */
export function userPrecondition({ generations }: CheckedUser, person: Person | undefined): Unmet {
  const unmet = personPrecondition(person)
  if (unmet !== undefined || person === undefined) return unmet
  return isCurrent(person.generations, generations) ? undefined : 'session.ended'
}

function allows({ login }: Person, factor: SecondFactorName): Unmet {
  return login.secondFactors.includes(factor) ? undefined : 'session.second_factor_not_allowed'
}

function keyPrecondition(person: Person, isPasskey: boolean): Unmet {
  if (!isPasskey) return allows(person, 'u2f')
  return person.login.allowsPasskeys ? undefined : 'session.passkey_not_allowed'
}

/** Whether an open challenge requests a passkey of any user. */
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

/** Why a check is not possible on this session; undefined when it is. */
export function checkPrecondition(session: OpenSession, check: CheckName, person: Person | undefined): Unmet {
  if (person === undefined) return 'session.no_user'
  if (check === 'user' && session.user !== undefined && session.user.id !== person.userId) return 'session.other_user'
  if (check !== 'user' && session.user?.id !== person.userId) return 'session.no_user'
  return personPrecondition(person) ?? factorPrecondition(session, check, person)
}

/** The types of challenges. */
export type ChallengeName = 'passkey' | 'second_factor_key' | 'otp_sms' | 'otp_email'

/** Why a challenge of this type is not possible; undefined when it is. */
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
