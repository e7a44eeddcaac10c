/**
 * On which domains keys can be registered and used, and which pages may ask for them. While the public address of the
 * server is not set, any domain will do, and every page that belongs to it; then only those of a list. Pure.
 */
import { domainToASCII } from 'node:url'

export interface RelyingParty {
  /** The name that authenticators show. */
  readonly name: string
  /** The domain of keys when a request names none. */
  readonly defaultRpId: string
  /** The origins whose pages may ask for keys; undefined: those of whichever domain was asked for. */
  readonly origins: readonly string[] | undefined
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A domain in ASCII and lower case; undefined for whatever is none, an IP address included. */
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

/** A domain with one label is no place for keys that other hosts share: browsers refuse public suffixes. */
function isScopeOf(rpId: string, host: string): boolean {
  return host === rpId || (rpId.includes('.') && host.endsWith(`.${rpId}`))
}

function hostOf(origin: string): string {
  return URL.parse(origin)?.hostname ?? ''
}

/** The relying party of a server that the world finds at `externalUrl`. */
export function relyingPartyAt(externalUrl: string, origins: readonly string[] | undefined): RelyingParty {
  return Object.freeze({ name: 'Signet', defaultRpId: new URL(externalUrl).hostname, origins })
}

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

/** What `/.well-known/webauthn` says: which pages may ask for keys of another domain (WebAuthn Level 3 §5.11). */
export function relatedOrigins({ origins }: RelyingParty): readonly string[] {
  return (origins ?? []).filter((origin) => /^https?:/.test(origin))
}
