/**
 * The domains on which keys can be registered and used, and the pages that can request them. As long as the public
 * address of the server is not configured, every domain is allowed with its own pages; otherwise only those of a list.
 */
import { domainToASCII } from 'node:url'
import { isLoopbackHost } from '../../kernel/loopback.ts'
import { refused } from '../../kernel/refusal.ts'
import { type App, type AppConfig, perApp } from '../../module/app.ts'
import { passkeyRefusals } from './refusals.ts'
import type { Expected } from './webauthn/verify-credential.ts'

export interface RelyingParty {
  /** The name that authenticators show. */
  readonly name: string
  /** The domain of keys if a request names none. */
  readonly defaultRpId: string
  /** The origins whose pages can request keys; if undefined, those of the requested domain. */
  readonly origins: readonly string[] | undefined
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A domain in ASCII and lower case; undefined for anything else, IP addresses included. */
function domainOf(text: string): string | undefined {
  if (/[^A-Za-z0-9.\u0080-\u{10ffff}-]/u.test(text) || !text.isWellFormed()) return undefined
  const domain = domainToASCII(text)
  const labels = domain.split('.')
  const isDomain =
    domain.length <= 253 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return isDomain ? domain : undefined
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** A domain with one label cannot be shared by other hosts, because browsers refuse public suffixes. */
function isScopeOf(rpId: string, host: string): boolean {
  return host === rpId || (rpId.includes('.') && host.endsWith(`.${rpId}`))
}

function hostOf(origin: string): string {
  return URL.parse(origin)?.hostname ?? ''
}

/** The relying party of a server with this public origin. */
export function relyingPartyAt(externalUrl: string, origins: readonly string[] | undefined): RelyingParty {
  return Object.freeze({ name: 'Signet', defaultRpId: new URL(externalUrl).hostname, origins })
}

/** The relying party of this server. */
export const relyingPartyOf = perApp(({ externalUrl, config }) => relyingPartyAt(externalUrl, config.passkeyOrigins))

/** The relying party ID for a requested domain, or for none; undefined when keys cannot be used there. */
export function rpIdFor({ defaultRpId, origins }: RelyingParty, domain: string): string | undefined {
  const rpId = domainOf(domain === '' ? defaultRpId : domain)
  if (rpId === undefined || origins === undefined) return rpId
  return origins.some((origin) => isScopeOf(rpId, hostOf(origin))) ? rpId : undefined
}

/** Whether pages at a host can request keys: browsers provide them to domains only, never to IP addresses. */
export function canUseKeysAt(app: App, host: string): boolean {
  const { origins } = relyingPartyOf(app)
  return domainOf(host) !== undefined && (origins === undefined || rpIdFor(relyingPartyOf(app), '') !== undefined)
}

/** Whether pages of an origin can request keys of this relying party ID. */
export function isExpectedOrigin({ origins }: RelyingParty, rpId: string, origin: string): boolean {
  if (origins !== undefined) return origins.includes(origin)
  const url = URL.parse(origin)
  // Origins are compared in the form of browsers: no path, no slash, lower case, no default port.
  if (url === null || url.origin !== origin) return false
  if (url.protocol === 'http:') return isLoopbackHost(url.hostname) && url.hostname === rpId
  return url.protocol === 'https:' && isWithin(url.hostname, rpId)
}

/**
 * The content of `/.well-known/webauthn`: the pages that can request keys of another domain (WebAuthn Level 3 §5.11).
 */
export function relatedOrigins({ config }: { readonly config: Pick<AppConfig, 'passkeyOrigins'> }): readonly string[] {
  return (config.passkeyOrigins ?? []).filter((origin) => /^https?:/.test(origin))
}

/** The relying party ID for a domain. Throws `passkey.domain_not_allowed` and names the field. */
export function requireRpId(app: App, domain: string): string {
  const rpId = rpIdFor(relyingPartyOf(app), domain)
  if (rpId !== undefined) return rpId
  const violations = [{ field: 'domain', description: 'must be a domain where passkeys and security keys can be used' }]
  throw refused(passkeyRefusals, 'passkey.domain_not_allowed', { violations })
}

/** The values that a credential must match on this server. */
export function expectedOf(app: App, of: Pick<Expected, 'challenge' | 'rpId' | 'requiresUserVerification'>): Expected {
  const relyingParty = relyingPartyOf(app)
  const { challenge, rpId, requiresUserVerification } = of
  return {
    challenge,
    rpId,
    requiresUserVerification,
    isExpectedOrigin: (origin) => isExpectedOrigin(relyingParty, rpId, origin),
    // A frame can request keys only if the page around it is one of ours.
    isExpectedFrame: (top) => top !== undefined && isExpectedOrigin(relyingParty, rpId, top),
  }
}
