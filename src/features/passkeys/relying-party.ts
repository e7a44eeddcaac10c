/**
 * On which domains keys can be registered and used, and which pages may ask for them. While the public address of the
 * server is not configured, every domain is allowed with the pages that belong to it; then only those of a list.
 */
import { domainToASCII } from 'node:url'
import { type App, type AppConfig, perApp } from '../../access/app.ts'
import { refused } from '../../kernel/refusal.ts'
import { passkeyRefusals } from './refusals.ts'
import type { Expected } from './webauthn/verify-credential.ts'

export interface RelyingParty {
  /** The name that authenticators show. */
  readonly name: string
  /** The domain of keys when a request names none. */
  readonly defaultRpId: string
  /** The origins whose pages may ask for keys; undefined: those of the domain that was asked for. */
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

/** A domain with one label cannot be shared by other hosts: browsers refuse public suffixes. */
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

/** The relying party id for a domain that was asked for, or for none; undefined when keys cannot be used there. */
export function rpIdFor({ defaultRpId, origins }: RelyingParty, domain: string): string | undefined {
  const rpId = domainOf(domain === '' ? defaultRpId : domain)
  if (rpId === undefined || origins === undefined) return rpId
  return origins.some((origin) => isScopeOf(rpId, hostOf(origin))) ? rpId : undefined
}

/** Whether pages of an origin may ask for keys of this relying party id. */
export function isExpectedOrigin({ origins }: RelyingParty, rpId: string, origin: string): boolean {
  if (origins !== undefined) return origins.includes(origin)
  const url = URL.parse(origin)
  // Origins are compared as browsers write them: no path, no slash, lower case, no default port.
  if (url === null || url.origin !== origin) return false
  if (url.protocol === 'http:') return url.hostname === 'localhost' && rpId === 'localhost'
  return url.protocol === 'https:' && isWithin(url.hostname, rpId)
}

/** What `/.well-known/webauthn` lists: which pages may ask for keys of another domain (WebAuthn Level 3 §5.11). */
export function relatedOrigins({ config }: { readonly config: Pick<AppConfig, 'passkeyOrigins'> }): readonly string[] {
  return (config.passkeyOrigins ?? []).filter((origin) => /^https?:/.test(origin))
}

/** The relying party id for a domain; throws `passkey.domain_not_allowed`, naming the field. */
export function requireRpId(app: App, domain: string): string {
  const rpId = rpIdFor(relyingPartyOf(app), domain)
  if (rpId !== undefined) return rpId
  const violations = [{ field: 'domain', description: 'must be a domain where passkeys and security keys can be used' }]
  throw refused(passkeyRefusals, 'passkey.domain_not_allowed', { violations })
}

/** What a credential must answer to on this server. */
export function expectedOf(app: App, of: Pick<Expected, 'challenge' | 'rpId' | 'requiresUserVerification'>): Expected {
  const relyingParty = relyingPartyOf(app)
  const { challenge, rpId, requiresUserVerification } = of
  return {
    challenge,
    rpId,
    requiresUserVerification,
    isExpectedOrigin: (origin) => isExpectedOrigin(relyingParty, rpId, origin),
    // A frame may ask only when the page around it is one of ours.
    isExpectedFrame: (top) => top !== undefined && isExpectedOrigin(relyingParty, rpId, top),
  }
}
