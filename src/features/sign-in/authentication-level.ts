/** Evaluates the checks of a session, and determines the next step of its sign-in. Pure. */
import type { Instant } from '../../kernel/instant.ts'
import { type OpenSession, proofsOf, type Strength, strengthOf } from '../sessions/index.ts'
import { type LoginSettings, needsSecondFactor } from '../settings/index.ts'

/** A second factor, as the login settings name it. */
export type SecondFactor = LoginSettings['secondFactors'][number]

export interface AuthenticationLevel {
  /** The latest valid first factor; undefined when there is none. */
  readonly authenticatedAt: Instant | undefined
  /** Whether all valid factors come from an identity provider. */
  readonly isExternal: boolean
  /** The number of valid factors. A passkey counts as two where the settings allow that. */
  readonly strength: Strength
}

const LIFETIMES = {
  password: 'passwordLifetimeMs',
  provider: 'externalLifetimeMs',
  second: 'secondFactorLifetimeMs',
  passkey: 'multiFactorLifetimeMs',
} as const

/** The level of a session, according to the login settings. */
export function authenticationLevel({ factors }: OpenSession, login: LoginSettings, at: Instant): AuthenticationLevel {
  // A lifetime of 0 has no limit.
  const isFresh = (checkedAt: Instant, lifetime: number) => lifetime === 0 || at < checkedAt + lifetime
  const isTwoAtOnce = login.multiFactors.includes('u2f_with_verification')
  const valid = proofsOf(factors)
    .filter(({ by, at: checkedAt }) => isFresh(checkedAt, login[LIFETIMES[by]]))
    .map((proof) => (proof.by === 'passkey' && !isTwoAtOnce ? { ...proof, proves: ['first'] as const } : proof))
  const first = valid.filter(({ proves }) => proves.includes('first'))
  return {
    authenticatedAt: first.length === 0 ? undefined : (Math.max(...first.map((proof) => proof.at)) as Instant),
    isExternal: first.length > 0 && first.every(({ by }) => by === 'provider'),
    strength: strengthOf(valid),
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
  if (level.strength < 2) {
    // Recovery codes replace another factor, but are none by themselves.
    if (factors.some((factor) => factor !== 'recovery_code')) return 'second_factor'
    const isRequired = needsSecondFactor(login, level.isExternal ? 'elsewhere' : 'here')
    if (isRequired) return factors.length > 0 ? 'second_factor' : 'set_up_second_factor'
  }
  return mustChangePassword ? 'change_password' : 'none'
}
