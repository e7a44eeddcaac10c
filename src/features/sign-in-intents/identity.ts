/** Converts the claims of an account at a provider to names and to the draft of a user. */
import { emailProblem, type HumanDraft } from '../humans/index.ts'
import type { MappingField, OpenedProvider, ProviderOptions } from '../identity-providers/index.ts'
import { lineProblem, nameProblem } from '../users/index.ts'
import type { EntryAttributes } from './ldap/entry.ts'
import type { Claims } from './provider-claims.ts'
import type { AssertedXml } from './saml/account.ts'

/** The stored response of a provider, encrypted. */
export interface Identity {
  readonly claims: Claims
  /** Empty for a directory and a SAML provider. */
  readonly accessToken: string
  /** The entry of a directory. */
  readonly ldap?: EntryAttributes | undefined
  /** The assertion of a SAML provider. */
  readonly saml?: AssertedXml | undefined
  readonly idToken?: string | undefined
  readonly refreshToken?: string | undefined
}

const LONGEST = 200

/** The first of these claims that is a single line of text; undefined when there is none. */
function lineOf(claims: Claims, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = claims[name]
    if (typeof value !== 'string') continue
    const line = value.trim()
    if (line !== '' && line.length <= LONGEST && lineProblem(line) === undefined) return line
  }
  return undefined
}

type Trusting = Pick<OpenedProvider, 'trustsEmail'> & { readonly options?: Pick<ProviderOptions, 'emailTrust'> }

/** The email address in the claims, and whether it counts as verified. */
export function emailOf(
  claims: Claims,
  { trustsEmail, options: { emailTrust = 'told' } = {} }: Trusting,
): { readonly address: string; readonly isVerified: boolean } | undefined {
  const address = lineOf(claims, 'email')
  if (address === undefined || emailProblem(address) !== undefined) return undefined
  // Some providers send the value as text.
  const said = String(claims.email_verified ?? '')
  const isTrusted = said === 'true' || trustsEmail === true || (emailTrust === 'always' && said !== 'false')
  return { address, isVerified: isTrusted && emailTrust !== 'never' }
}

function mapped(claims: Claims, mapping: MappingField, ...otherwise: readonly string[]): string | undefined {
  return mapping === 'unspecified'
    ? lineOf(claims, ...otherwise)
    : lineOf(claims, mapping === 'email' ? 'email' : 'preferred_username', ...otherwise)
}

/** The name of the account at the provider, for display only. */
export function externalUserNameOf(claims: Claims, subject: string): string {
  return lineOf(claims, 'preferred_username', 'login', 'username', 'email', 'name') ?? subject.slice(0, LONGEST)
}

/** The username of a new user. */
export function userNameOf(claims: Claims, { usernameMapping }: Pick<OpenedProvider, 'usernameMapping'>) {
  const name = mapped(claims, usernameMapping, 'preferred_username', 'login', 'username', 'email')
  return name !== undefined && nameProblem(name) === undefined ? name : undefined
}

/** The draft of a new user for the account; undefined when the claims are not enough. */
export function draftOfPerson(
  claims: Claims,
  provider: Pick<OpenedProvider, 'usernameMapping' | 'displayNameMapping'> & Trusting,
): HumanDraft | undefined {
  const email = emailOf(claims, provider)
  const userName = userNameOf(claims, provider)
  if (email === undefined || userName === undefined) return undefined
  const displayName = mapped(claims, provider.displayNameMapping, 'name', 'preferred_username', 'login') ?? userName
  // Many providers send only one name.
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
