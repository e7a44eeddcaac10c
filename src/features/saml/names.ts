/** What we say about sign-ins, and where we say it, in the words of SAML 2.0. Pure. */
import { SAML } from '../../kernel/saml-names.ts'

export type SamlStatus =
  | 'Success'
  | 'NoPassive'
  | 'RequestDenied'
  | 'NoAuthnContext'
  | 'InvalidNameIDPolicy'
  | 'AuthnFailed'
  | 'UnsupportedBinding'
  | 'RequestUnsupported'
  | 'InvalidAttrNameOrValue'
  | 'VersionMismatch'
  | 'PartialLogout'

const CLASSES = `${SAML}:ac:classes`
const PASSWORD = `${CLASSES}:PasswordProtectedTransport`
const UNSPECIFIED = `${CLASSES}:unspecified`

/** Classes that every sign-in has. A passkey is at least as good as a password. */
const ONE_FACTOR: readonly string[] = [PASSWORD, `${CLASSES}:Password`, UNSPECIFIED]
/** Classes that a sign-in with two factors has. */
const TWO_FACTORS: readonly string[] = [
  'https://refeds.org/profile/mfa',
  'http://schemas.microsoft.com/claims/multipleauthn',
  `${CLASSES}:TimeSyncToken`,
  `${CLASSES}:MobileTwoFactorContract`,
]

/** What classes of authentication mean here: whether one factor is enough, or two are needed; undefined: neither can be. */
export function factorsFor(classes: readonly string[] | undefined): 1 | 2 | undefined {
  if (classes === undefined || classes.some((one) => ONE_FACTOR.includes(one))) return 1
  return classes.some((one) => TWO_FACTORS.includes(one)) ? 2 : undefined
}

/** The class that an assertion names: the first of those that were asked for that the sign-in has. */
export function classFor(
  classes: readonly string[] | undefined,
  { amr, hasTwo }: { readonly amr: readonly string[]; readonly hasTwo: boolean },
): string {
  const asked = classes?.find((one) => ONE_FACTOR.includes(one) || (hasTwo && TWO_FACTORS.includes(one)))
  return asked ?? (amr.includes('pwd') ? PASSWORD : UNSPECIFIED)
}

/** Where the server answers. */
export function samlAddresses(externalUrl: string) {
  const at = (path: string) => new URL(`/saml/v2/${path}`, externalUrl).href
  return { entityId: at('metadata'), sso: at('SSO'), slo: at('SLO') }
}
