/** An account at a provider in our words: what it is called, and the person it would be here. */
import type { HumanDraft } from '../users/index.ts'
import { emailProblem, lineProblem, nameProblem } from '../users/index.ts'
import type { ClaimMapping, Provider } from './needs.ts'
import type { Claims } from './provider-claims.ts'

/** What is kept, sealed, of an answer. */
export interface Identity {
  readonly claims: Claims
  readonly accessToken: string
  readonly idToken?: string | undefined
  readonly refreshToken?: string | undefined
}

const LONGEST = 200

/** The claim as a line that we take; undefined when it is none. */
function lineOf(claims: Claims, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = claims[name]
    if (typeof value !== 'string') continue
    const line = value.trim()
    if (line !== '' && line.length <= LONGEST && lineProblem(line) === undefined) return line
  }
  return undefined
}

/** The address that the provider tells, and whether it vouches for it, or is trusted to. */
export function emailOf(
  claims: Claims,
  { trustsEmail }: Pick<Provider, 'trustsEmail'>,
): { readonly address: string; readonly isVerified: boolean } | undefined {
  const address = lineOf(claims, 'email')
  if (address === undefined || emailProblem(address) !== undefined) return undefined
  // Some write the word.
  const { email_verified: verified } = claims
  return { address, isVerified: trustsEmail === true || verified === true || verified === 'true' }
}

function mapped(claims: Claims, mapping: ClaimMapping, ...otherwise: readonly string[]): string | undefined {
  return mapping === 'unspecified'
    ? lineOf(claims, ...otherwise)
    : lineOf(claims, mapping === 'email' ? 'email' : 'preferred_username', ...otherwise)
}

/** What the account is called at the provider: to be shown, never to be compared. */
export function externalUserNameOf(claims: Claims, subject: string): string {
  return lineOf(claims, 'preferred_username', 'login', 'username', 'email', 'name') ?? subject.slice(0, LONGEST)
}

/** The user name that somebody would have here. */
export function userNameOf(claims: Claims, { usernameMapping }: Pick<Provider, 'usernameMapping'>) {
  const name = mapped(claims, usernameMapping, 'preferred_username', 'login', 'username', 'email')
  return name !== undefined && nameProblem(name) === undefined ? name : undefined
}

/** The person that the account would be here; undefined when the provider tells too little. */
export function draftOfPerson(
  claims: Claims,
  provider: Pick<Provider, 'usernameMapping' | 'displayNameMapping' | 'trustsEmail'>,
): HumanDraft | undefined {
  const email = emailOf(claims, provider)
  const userName = userNameOf(claims, provider)
  if (email === undefined || userName === undefined) return undefined
  const displayName = mapped(claims, provider.displayNameMapping, 'name', 'preferred_username', 'login') ?? userName
  // Many providers know one name only.
  const [first = userName, ...others] = (lineOf(claims, 'name') ?? '').split(/\s+/).filter((word) => word !== '')
  const language = lineOf(claims, 'locale')?.replaceAll('_', '-')
  return {
    userName,
    profile: {
      firstName: lineOf(claims, 'given_name') ?? first,
      lastName: lineOf(claims, 'family_name') ?? (others.join(' ') || first),
      displayName,
      nickName: lineOf(claims, 'nickname'),
      preferredLanguage:
        language !== undefined && /^[a-z]{2,3}(-[A-Za-z]{2,4})?$/.test(language) ? language : undefined,
    },
    email: {
      address: email.address,
      verification: email.isVerified ? { type: 'known', isVerified: true } : { type: 'default' },
    },
  }
}
