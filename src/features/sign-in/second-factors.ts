/** The second factors of a user. */

import { instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { secondFactorsOf as typedFactorsOf } from '../one-time-codes/index.ts'
import { keysOf } from '../passkeys/index.ts'
import type { OpenSession } from '../sessions/index.ts'
import type { LoginSettings } from '../settings/index.ts'
import { authenticationLevel, nextStep, type SecondFactor } from './authentication-level.ts'

/** The second factors that a user has set up and their organization allows. */
export async function secondFactorsOf(
  app: App,
  userId: string,
  login: LoginSettings,
): Promise<readonly SecondFactor[]> {
  const [typed, keys] = await Promise.all([typedFactorsOf(app, userId), keysOf(app, userId, 'second_factor')])
  const all: readonly SecondFactor[] = keys.length > 0 ? [...typed, 'u2f'] : typed
  return all.filter((factor) => login.secondFactors.includes(factor))
}

/**
 * Those that a session can still use. A session has one key: if a passkey is its only first factor, another key would
 * replace it.
 */
export function showableFactors({ factors: shown }: OpenSession, factors: readonly SecondFactor[]) {
  const canTakeKey = shown.webAuthN?.use !== 'passkey' || shown.password !== undefined
  return canTakeKey ? factors : factors.filter((factor) => factor !== 'u2f')
}

const NO_LIMITS = {
  passwordLifetimeMs: 0,
  externalLifetimeMs: 0,
  secondFactorLifetimeMs: 0,
  multiFactorLifetimeMs: 0,
} as const

/**
 * Whether the sign-in of a session is complete: its user has shown all that is required now. How long ago does not
 * matter, because a session whose factors are old was complete once.
 */
export function isSignInComplete(
  session: OpenSession,
  login: LoginSettings,
  factors: readonly SecondFactor[],
): boolean {
  const level = authenticationLevel(session, { ...login, ...NO_LIMITS }, instant(0))
  if (level.authenticatedAt === undefined) return false
  return nextStep(level, login, showableFactors(session, factors), false) === 'none'
}
