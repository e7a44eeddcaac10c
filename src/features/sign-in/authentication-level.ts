/** Evaluates the checks of a session, and determines the next step of its sign-in. Pure. */
import type { Instant } from '../../kernel/instant.ts'
import type { OpenSession } from '../sessions/index.ts'
import { type LoginSettings, needsSecondFactor } from '../settings/index.ts'

/** A second factor, as the login settings name it. */
export type SecondFactor = LoginSettings['secondFactors'][number]

export interface AuthenticationLevel {
  /** The latest valid first factor; undefined when there is none. */
  readonly authenticatedAt: Instant | undefined
  /** Whether all valid factors come from an identity provider. */
  readonly isExternal: boolean
  /** A valid second factor, or a passkey, which counts as two factors. */
  readonly hasSecondFactor: boolean
}

const LIFETIMES = {
  password: 'passwordLifetimeMs',
  intent: 'externalLifetimeMs',
  second: 'secondFactorLifetimeMs',
  multi: 'multiFactorLifetimeMs',
} as const

/** The level of a session, according to the lifetimes in the login settings. */
export function authenticationLevel({ factors }: OpenSession, login: LoginSettings, at: Instant): AuthenticationLevel {
  const fresh = (checkedAt: Instant | undefined, kind: keyof typeof LIFETIMES): Instant | undefined => {
    const lifetime = login[LIFETIMES[kind]]
    // 0 means no limit.
    return checkedAt !== undefined && (lifetime === 0 || at < checkedAt + lifetime) ? checkedAt : undefined
  }
  const { password, intent, webAuthN, totp, otpSms, otpEmail, recoveryCode } = factors
  // A key that is only a second factor is not enough alone.
  const passkey = webAuthN?.use === 'passkey' ? fresh(webAuthN.checkedAt, 'multi') : undefined
  const key = webAuthN?.use === 'second_factor' ? fresh(webAuthN.checkedAt, 'second') : undefined
  const external = fresh(intent, 'intent')
  const local = [fresh(password, 'password'), passkey].filter((one) => one !== undefined)
  const first = external === undefined ? local : [...local, external]
  const second = [totp, otpSms, otpEmail, recoveryCode].some((one) => fresh(one, 'second') !== undefined)
  const isTwoAtOnce =
    passkey !== undefined && webAuthN?.userVerified === true && login.multiFactors.includes('u2f_with_verification')
  return {
    authenticatedAt: first.length === 0 ? undefined : (Math.max(...first) as Instant),
    isExternal: local.length === 0 && external !== undefined,
    hasSecondFactor: second || key !== undefined || isTwoAtOnce,
  }
}

/** The next step before the user is signed in; `none`: the sign-in is complete. */
export type Step = 'second_factor' | 'set_up_second_factor' | 'change_password' | 'none'

/**
 * The next step of a sign-in with a first factor. A second factor is required by the organization, or because the user
 * has set one up; `factors` are those that the user has and the organization allows.
 */
export function nextStep(
  level: AuthenticationLevel,
  login: LoginSettings,
  factors: readonly SecondFactor[],
  mustChangePassword: boolean,
): Step {
  if (!level.hasSecondFactor) {
    // Recovery codes replace another factor, but are none by themselves.
    if (factors.some((factor) => factor !== 'recovery_code')) return 'second_factor'
    const isRequired = needsSecondFactor(login, level.isExternal ? 'elsewhere' : 'here')
    if (isRequired) return factors.length > 0 ? 'second_factor' : 'set_up_second_factor'
  }
  return mustChangePassword ? 'change_password' : 'none'
}
