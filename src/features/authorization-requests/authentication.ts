/** What a session proves, in the words of OpenID Connect: `auth_time`, `amr` and `acr`. */
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { type OpenSession, proofsOf, type UserSession } from '../sessions/index.ts'
import { strengthOfSession } from '../sign-in/index.ts'

/** The level of a sign-in with one factor, or with two. */
export const ACR = { single: 'urn:signet:acr:1', multi: 'urn:signet:acr:2' } as const
/** A session without a first factor has none. */
const ACRS = ['', ACR.single, ACR.multi] as const

export interface Authentication {
  readonly authenticatedAt: Instant
  /** RFC 8176. */
  readonly amr: readonly string[]
  readonly acr: string
}

/** When a passkey or another second factor was last checked in a session; undefined: never. */
export function secondFactorAt({ factors: { password: _, intent: __, ...factors } }: OpenSession): Instant | undefined {
  const checked = proofsOf(factors).map(({ at }) => at)
  return checked.length === 0 ? undefined : (Math.max(...checked) as Instant)
}

/** The latest check of a factor; of a session without one, when the user was named. */
export function authenticatedAtOf({ factors, user }: OpenSession): Instant {
  const checked = proofsOf(factors).map(({ at }) => at)
  return (checked.length === 0 ? (user?.checkedAt ?? 0) : Math.max(...checked)) as Instant
}

/** How the user of a session is authenticated now. */
export async function authenticationOf(app: App, session: UserSession, at: Instant): Promise<Authentication> {
  const { password, intent, webAuthN, totp, otpSms, otpEmail, recoveryCode } = session.factors
  const hasCode = [totp, otpSms, otpEmail, recoveryCode].some((one) => one !== undefined)
  const strength = await strengthOfSession(app, session, at)
  const amr = [
    ...(password === undefined ? [] : ['pwd']),
    ...(webAuthN === undefined ? [] : ['user']),
    ...(hasCode ? ['otp'] : []),
    ...(strength === 2 ? ['mfa'] : []),
  ]
  return {
    authenticatedAt: authenticatedAtOf(session),
    // A sign-in at an identity provider has no method of its own in RFC 8176.
    amr: intent !== undefined && amr.length === 0 ? ['ext'] : amr,
    acr: ACRS[strength],
  }
}

/** What a `claims` parameter says about `acr` in the ID token. */
export interface AskedAcr {
  readonly essential?: unknown
  readonly value?: unknown
  readonly values?: unknown
}

/** The entry for `acr` of a `claims` parameter; undefined when there is none. */
export function askedAcr(claims: string | undefined): AskedAcr | undefined {
  if (claims === undefined) return undefined
  const parsed = JSON.parse(claims) as { readonly id_token?: { readonly acr?: AskedAcr | null } }
  return parsed.id_token?.acr ?? undefined
}

/** The levels of which a sign-in must have one (OpenID Connect Core §5.5.1.1); undefined: any will do. */
export function requiredAcrs(claims: string | undefined): readonly unknown[] | undefined {
  const { essential, value, values } = askedAcr(claims) ?? {}
  if (essential !== true || (value === undefined && values === undefined)) return undefined
  return [...(value === undefined ? [] : [value]), ...(Array.isArray(values) ? values : [])]
}

/** The level that an application is told for a sign-in of this level; undefined when it is none of the required ones. */
export function acrFor(acr: string, required: readonly unknown[] | undefined): string | undefined {
  if (required === undefined || required.includes(acr)) return acr
  // Two factors include one.
  return acr === ACR.multi && required.includes(ACR.single) ? ACR.single : undefined
}
