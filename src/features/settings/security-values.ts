/** What the security settings can be: who embeds pages, which clients come, and which other servers count. Pure. */
import type { Violation } from '../../kernel/refusal.ts'
import { type Form, flag, group, listOf, text } from './forms.ts'
import type { SettingsRefusal } from './refusals.ts'
import type { AssertionIssuer, AssertionPartner, IdentityAssertions, SecuritySettings } from './values.ts'

/** Everything is off until it is set. */
export const BUILT_IN_SECURITY: SecuritySettings = Object.freeze({
  allowsEmbedding: false,
  embeddingOrigins: [],
  allowsImpersonation: false,
  allowsClientRegistration: false,
  allowsAnonymousClientRegistration: false,
})

/** A host of CSP Level 3 §2.3.1 (`host-source`) without a path: anything else could add directives to the header. */
const HOST_SOURCE = /^(https?:\/\/)?(\*\.)?[a-z\d-]+(\.[a-z\d-]+)*(:\d{1,5})?\/?$/i

const DOMAIN = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i

/** Whether pages of an origin can be allowed to embed ours. */
export function isEmbeddingOrigin(origin: string): boolean {
  return HOST_SOURCE.test(origin)
}

/** Whether clients can belong to a domain. */
export function isClientDomain(domain: string): boolean {
  return DOMAIN.test(domain)
}

/** An https address of a host with a name, in its only spelling. */
function isHttps(address: string): boolean {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' || /[#@\\\s]/.test(address) || !/\.[a-z][a-z0-9-]*$/.test(url.hostname)) return false
  return url.href === address || url.href === `${address}/`
}

/** The partners and issuers that are no other authorization servers, or are named twice. */
export function assertionProblems(
  { partners, issuers }: IdentityAssertions,
  externalUrl: string | undefined,
): readonly Violation[] {
  const address = 'must be an https address, in its usual spelling'
  const problemOf = (all: readonly { readonly issuer: string }[], issuer: string, index: number) => {
    if (!isHttps(issuer) || issuer.includes('?')) return address
    if (issuer === externalUrl) return 'must be another server than this'
    return all.findIndex((one) => one.issuer === issuer) < index ? 'is named before' : undefined
  }
  return [
    ...partners.map(({ issuer }, index) => [`partners[${index}].issuer`, problemOf(partners, issuer, index)] as const),
    ...issuers.map(({ issuer }, index) => [`issuers[${index}].issuer`, problemOf(issuers, issuer, index)] as const),
    ...issuers.map(
      ({ jwksUri }, index) => [`issuers[${index}].jwksUri`, isHttps(jwksUri) ? undefined : address] as const,
    ),
  ].flatMap(([field, description]) => (description === undefined ? [] : [{ field, description }]))
}

/** Members that belong together. */
export function securityProblem({
  embeddingOrigins,
  documentClientDomains = [],
  assertions,
}: SecuritySettings): SettingsRefusal | undefined {
  if (!embeddingOrigins.every(isEmbeddingOrigin)) return 'settings.origin_invalid'
  if (!documentClientDomains.every(isClientDomain)) return 'settings.domain_invalid'
  const isWrong = assertions !== undefined && assertionProblems(assertions, undefined).length > 0
  return isWrong ? 'settings.assertion_party_invalid' : undefined
}

const ADDRESS = text(500)
const ID = text(200)

/** Both sides of identity assertions. */
export const assertionsForm: Form<IdentityAssertions> = group<IdentityAssertions>({
  isIssuing: flag,
  partners: listOf(
    group<AssertionPartner>({
      issuer: ADDRESS,
      clients: listOf(group({ clientId: ID, partnerClientId: ADDRESS }), 100),
      resources: listOf(ADDRESS, 100),
      scopes: listOf(text(100), 100),
    }),
    50,
  ),
  isAccepting: flag,
  issuers: listOf(
    group<AssertionIssuer>({ issuer: ADDRESS, jwksUri: ADDRESS, providerId: ID, clientIds: listOf(ID, 100) }),
    50,
  ),
})
