/** Finds the user of a browser's session token, and the state of their sign-in. */

import { countFor } from '../../../access/current-caller.ts'
import { isRecentCheck } from '../../../access/fresh-sign-in.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { visibleName } from '../../../kernel/visible-text.ts'
import type { App } from '../../../module/app.ts'
import type { Document } from '../../../store/index.ts'
import { keysOf } from '../../passkeys/index.ts'
import { mustBeChanged, passwordFacts } from '../../passwords/index.ts'
import { findSessionOfToken, noteSessionUse, type OpenSession } from '../../sessions/index.ts'
import { effectiveSettings, isPasswordResetAllowed, settingsOfUser } from '../../settings/index.ts'
import { activePerson, isLiving, users } from '../../users/index.ts'
import { authenticationLevel, nextStep, type SecondFactor, type Step } from '../authentication-level.ts'
import { secondFactorsOf, showableFactors } from '../second-factors.ts'

/** The user of a session with a first factor. */
export interface Person {
  readonly sessionId: string
  readonly userId: string
  readonly organizationId: string
  readonly userName: string
  readonly displayName: string
  readonly step: Step
  /** Whether the first factor is recent enough to add sign-in methods. */
  readonly isFresh: boolean
  /** Whether the password was entered in this session just now, so that a required change does not ask for it again. */
  readonly hasJustGivenPassword: boolean
  /** The second factors that the user has, the organization allows, and this session can use. */
  readonly factors: readonly SecondFactor[]
  /** Those whose code was sent and is still valid. */
  readonly sent: readonly SecondFactor[]
  /** The second factors that a user without one can set up. */
  readonly offered: readonly SecondFactor[]
  /** Whether a passkey counts as two factors in the organization. */
  readonly isPasskeyEnough: boolean
  readonly hasPassword: boolean
  /** The first factors that the user can sign in with again. */
  readonly provesWith: readonly ('password' | 'passkey')[]
  /** The URL that users of the organization are redirected to after signing in; empty: none. */
  readonly redirectUri: string
}

/** The rules before the user is known. */
export interface SignInRules {
  readonly allowsPassword: boolean
  readonly allowsPasskeys: boolean
  /** Whether visitors can ask for a link that resets their password, and whether the sign-in page leads there. */
  readonly allowsPasswordReset: boolean
  readonly showsPasswordReset: boolean
  /** Whether visitors can create an account, with a password or a passkey. */
  readonly allowsRegistration: boolean
}

/** The rules of an organization, or those of the instance if there is no organization with this ID. */
export async function signInRules(app: App, organizationId: string | undefined): Promise<SignInRules> {
  const { login } = await effectiveSettings(app, organizationId ?? app.instanceId)
  const { allowsPassword, allowsPasskeys, allowsRegistration = false } = login
  const allowsPasswordReset = isPasswordResetAllowed(login)
  return {
    allowsPassword,
    allowsPasskeys,
    allowsPasswordReset,
    showsPasswordReset: allowsPassword && allowsPasswordReset && !login.hidesPasswordReset,
    allowsRegistration: (allowsPassword || allowsPasskeys) && allowsRegistration,
  }
}

/** The user of a token; undefined when the session has no first factor or is no longer valid. */
export async function findPerson(app: App, token: string): Promise<Person | undefined> {
  const at = app.clock()
  const session = await findSessionOfToken(app, token, at)
  if (session !== undefined) noteSessionUse(app, session, at)
  const person = session && (await describe(app, session))
  if (person !== undefined) countFor(person.organizationId, person.userId)
  return person
}

/** The preferred language of the user of a token; undefined when they have none, or are not signed in. */
export async function preferredLanguageOf(app: App, token: string | undefined): Promise<string | undefined> {
  const session = (await findSessionOfToken(app, token, app.clock()))?.state
  const { password, intent, webAuthN } = session?.factors ?? {}
  if (session?.user === undefined || (password ?? intent ?? webAuthN) === undefined) return undefined
  const user = (await app.store.get(users, session.user.id))?.state
  const isHuman = user !== undefined && isLiving(user) && user.type === 'human'
  return isHuman && user.profile.preferredLanguage !== '' ? user.profile.preferredLanguage : undefined
}

/** Whether the password was checked in this session recently enough to change it. */
export function isRecentPassword({ factors: { password } }: OpenSession, at: Instant): boolean {
  return password !== undefined && isRecentCheck(password, at)
}

/** The codes that were sent in a session and are still valid. */
function sentCodes({ challenges }: OpenSession, at: Instant): readonly SecondFactor[] {
  const isOpen = (challenge: { readonly expiresAt: number } | undefined) =>
    challenge !== undefined && at < challenge.expiresAt
  return [
    ...(isOpen(challenges.otpEmail) ? (['otp_email'] as const) : []),
    ...(isOpen(challenges.otpSms) ? (['otp_sms'] as const) : []),
  ]
}

async function describe(app: App, { id, state: session }: Document<OpenSession>): Promise<Person | undefined> {
  if (session.user === undefined) return undefined
  const { id: userId, organizationId } = session.user
  const at = app.clock()
  const [active, settings, facts, passkeys] = await Promise.all([
    activePerson(app.store, userId, organizationId),
    settingsOfUser(app, { userId, organizationId }),
    passwordFacts(app, [userId]),
    keysOf(app, userId, 'passkey'),
  ])
  const state = active?.user.state
  if (state?.type !== 'human') return undefined
  const { login } = settings
  const level = authenticationLevel(session, login, at)
  if (level.authenticatedAt === undefined) return undefined
  const factors = showableFactors(session, await secondFactorsOf(app, userId, login))
  const password = facts.get(userId)
  const mustChangePassword = session.factors.password !== undefined && mustBeChanged(password, settings, at)
  const offered: readonly SecondFactor[] = ['totp', 'u2f']
  return {
    sessionId: id,
    userId,
    organizationId,
    userName: state.userName,
    displayName: visibleName(state.profile.displayName),
    step: nextStep(level, login, factors, mustChangePassword),
    isFresh: isRecentCheck(level.authenticatedAt, at),
    hasJustGivenPassword: isRecentPassword(session, at),
    factors,
    sent: sentCodes(session, at),
    offered: offered.filter((factor) => login.secondFactors.includes(factor)),
    isPasskeyEnough: login.allowsPasskeys && login.multiFactors.includes('u2f_with_verification'),
    hasPassword: password !== undefined,
    provesWith: [
      ...(password !== undefined && login.allowsPassword ? (['password'] as const) : []),
      ...(passkeys.length > 0 && login.allowsPasskeys ? (['passkey'] as const) : []),
    ],
    redirectUri: login.defaultRedirectUri,
  }
}
