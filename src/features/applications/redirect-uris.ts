/**
 * Redirect URIs: which can be registered, which are used, which break a rule of the standards, and whether an answer may
 * be sent to an address. Registration, sign-in, logout and the console ask here. Registered addresses match exactly
 * (RFC 9700 §2.1), but for the port on the user's own machine (RFC 8252 §7.3) and wildcards in development mode:
 * see docs/decisions/0067-wildcards-in-redirect-uris.md. Pure, and without anything of Node.
 */
import { isLoopbackHost } from '../../kernel/loopback.ts'
import { registrableDomain } from '../../kernel/registrable-domain.ts'
import {
  type AddressProblem,
  hasCredentials,
  isDangerous,
  isWeb,
  originProblem,
  parseAddress,
  unreadableBecause,
} from './addresses.ts'
import type { OidcConfig } from './events.ts'

/** What decides how redirect URIs are read. */
export type RedirectRules = Pick<OidcConfig, 'applicationType' | 'developmentMode'>

/** A wildcard outside of development mode, or in a place where it can match nothing. */
export type RedirectUriProblem = AddressProblem | 'wildcard' | 'wildcard_place'

/** The parts of an address as they are written, with their wildcards. */
interface Parts {
  readonly scheme: string
  readonly host: string
  readonly port: string
  readonly path: string
  readonly query: string
}

const PARTS = /^([a-z][a-z0-9+.-]*:)(?:\/\/(\[[^\]]*\]|[^/?:@]*)(?::([^/?]+))?)?([^?#]*)(\?[^#]*)?$/i

/** The address with a character in the place of each wildcard that every part of an address allows. */
function sampleOf(text: string): URL | undefined {
  return parseAddress(text.replaceAll('*', '1'))
}

/**
 * The parts of an address; undefined when a browser would open another one than what is written: it removes `..` also
 * where the dots are encoded, and reads more than one form of a host.
 */
function partsOf(text: string): Parts | undefined {
  const url = sampleOf(text)
  const [, scheme = '', host = '', port = '', path = '', query = ''] = PARTS.exec(text) ?? []
  const isRead = (part: string, as: string | undefined) => part.replaceAll('*', '1') === as
  const isAsWritten =
    url?.protocol === scheme &&
    isRead(host, url.hostname) &&
    (path === '' || isRead(path, url.pathname)) &&
    isRead(query, url.search)
  return isAsWritten ? { scheme, host, port, path, query } : undefined
}

/** What is right of the last wildcard of a host, without the label that has it. */
function fixedDomain(host: string): string {
  return host.replace(/^.*\*[^.]*\.?/, '')
}

/** Whether a host is below a domain, and nobody could register a domain between them. */
function isBelow(host: string, domain: string): boolean {
  if (isLoopbackHost(domain)) return isLoopbackHost(host)
  const registered = registrableDomain(domain)
  return registered !== undefined && registrableDomain(host) === registered
}

/** Whether each `*` is where it can match: below a domain that somebody registered, in the path, or a port of this machine. */
function areWildcardsUsable(text: string): boolean {
  const parts = partsOf(text)
  if (parts === undefined || parts.query.includes('*')) return false
  const { scheme, host, port } = parts
  const fixed = fixedDomain(host)
  if (port.includes('*') && !(port === '*' && isLoopbackHost(fixed))) return false
  return !host.includes('*') || (/^https?:$/.test(scheme) && isBelow(host.replaceAll('*', '1'), fixed))
}

/** Why `text` cannot be registered; undefined when it can. RFC 6749 §3.1.2: absolute, without a fragment. */
export function redirectUriProblem(text: string, developmentMode: boolean): RedirectUriProblem | undefined {
  const url = sampleOf(text)
  if (url === undefined) return unreadableBecause(text)
  if (isDangerous(url)) return 'scheme'
  if (text.includes('#')) return 'fragment'
  if (isWeb(url) && !/^https?:\/\/[^/]/i.test(text)) return 'host'
  if (hasCredentials(url)) return 'credentials'
  if (!text.includes('*')) return undefined
  if (!developmentMode) return 'wildcard'
  return areWildcardsUsable(text) ? undefined : 'wildcard_place'
}

/** A host with a port, which reads as a scheme of that name: `localhost:3000/callback`. */
const HOST_AND_PORT = /^[a-z0-9.-]+:\d+(?:[/?]|$)/i

/** Why an address of this form is not used by this type of application, registered or not; undefined when it is. */
export function unusedBecause(
  text: string,
  { applicationType, developmentMode }: RedirectRules,
): 'http' | 'custom' | 'scheme_missing' | undefined {
  const url = sampleOf(text)
  if (url === undefined || url.protocol === 'https:') return undefined
  // A scheme of its own leads to an app on the device, never to a website.
  if (url.protocol !== 'http:') {
    if (applicationType === 'native') return undefined
    return HOST_AND_PORT.test(text) ? 'scheme_missing' : 'custom'
  }
  return developmentMode || applicationType === 'web' || isLoopbackHost(url.hostname) ? undefined : 'http'
}

/**
 * The end of an address that was probably pasted with it, such as the comma of a list. Nothing forbids it, so it can be
 * registered; whoever types it is told.
 */
export function endingDoubt(text: string): string | undefined {
  const end = text.at(-1) ?? ''
  if (end === ')' && text.includes('(')) return undefined
  return /[,;"'`).>\]]/.test(end) && !/^https?:\/\/\[[^\]]*\]$/i.test(text) ? end : undefined
}

/** What a `*` stands for: characters that separate nothing in a host or a path, and encode nothing. */
const WITHIN = /^[a-z0-9_~-]*$/i

/** Whether a label or segment matches one that may have wildcards. An empty one matches no wildcard. */
function matchesPart(pattern: string, text: string): boolean {
  const [start = '', ...fixed] = pattern.split(/\*+/)
  const end = fixed.pop()
  if (end === undefined) return pattern === text
  if (text === '' || !text.startsWith(start)) return false
  let at = start.length
  for (const part of fixed) {
    const found = text.indexOf(part, at)
    if (found < 0 || !WITHIN.test(text.slice(at, found))) return false
    at = found + part.length
  }
  return text.length - end.length >= at && text.endsWith(end) && WITHIN.test(text.slice(at, text.length - end.length))
}

function matchesAll(pattern: string, text: string, separator: '.' | '/'): boolean {
  const [patterns, texts] = [pattern.split(separator), text.split(separator)]
  return patterns.length === texts.length && patterns.every((one, index) => matchesPart(one, texts[index] ?? ''))
}

/** Whether the host matches: a wildcard never stands for a domain that somebody else could register. */
function matchesHost(pattern: string, host: string): boolean {
  if (!pattern.includes('*')) return pattern === host
  return matchesAll(pattern, host, '.') && isBelow(host, fixedDomain(pattern))
}

function matchesPort(pattern: Parts, { scheme, host, port }: Parts, anyPort: boolean): boolean {
  if (port === pattern.port) return true
  return isLoopbackHost(host) && (pattern.port === '*' || (anyPort && scheme === 'http:'))
}

/** A registered address as it is compared with others; undefined when it matches nothing but itself. */
function patternOf(registered: string, { developmentMode }: RedirectRules): Parts | undefined {
  const isUsable = !registered.includes('*') || (developmentMode && areWildcardsUsable(registered))
  return isUsable ? partsOf(registered) : undefined
}

function matchesOrigin(one: Parts, other: Parts, { applicationType, developmentMode }: RedirectRules): boolean {
  const anyPort = developmentMode || applicationType === 'native'
  return one.scheme === other.scheme && matchesHost(one.host, other.host) && matchesPort(one, other, anyPort)
}

/** Whether an address is one that was registered with wildcards, or one on this machine with another port. */
function matches(registered: string, uri: string, rules: RedirectRules): boolean {
  const [one, other] = [patternOf(registered, rules), partsOf(uri)]
  if (one === undefined || other === undefined) return false
  return matchesOrigin(one, other, rules) && matchesAll(one.path, other.path, '/') && one.query === other.query
}

/** Whether an address is on the device of the user: on its loopback interface, or of an app there. */
export function isOnDevice(uri: string): boolean {
  const url = URL.parse(uri)
  return url !== null && (isLoopbackHost(url.hostname) || !/^https?:$/.test(url.protocol))
}

/** The host that users are sent to; undefined: an app on their device. */
export function hostOfRedirect(uri: string): string | undefined {
  return isOnDevice(uri) ? undefined : URL.parse(uri)?.host
}

/** Whether an answer may be sent to this address. */
export function isRedirectAllowed(uri: string, registered: readonly string[], rules: RedirectRules): boolean {
  if (redirectUriProblem(uri, false) !== undefined || unusedBecause(uri, rules) !== undefined) return false
  return registered.some((one) => one === uri || matches(one, uri, rules))
}

/** The origins of the redirect URIs and the additional origins, each once. Custom schemes have no origin. */
export function allowedOriginsOf({
  redirectUris,
  additionalOrigins,
}: Pick<OidcConfig, 'redirectUris' | 'additionalOrigins'>): readonly string[] {
  const origins = redirectUris.flatMap((text) => {
    const url = parseAddress(text)
    return url !== undefined && isWeb(url) ? [url.origin] : []
  })
  return [...new Set([...origins, ...additionalOrigins])]
}

/** Whether pages of this origin may call with tokens of the application: those that may receive answers, and others by name. */
export function isOriginAllowed(
  origin: string,
  config: Pick<OidcConfig, 'redirectUris' | 'additionalOrigins' | keyof RedirectRules>,
): boolean {
  if (allowedOriginsOf(config).includes(origin)) return true
  const asked = originProblem(origin) === undefined && !origin.includes('*') ? partsOf(origin) : undefined
  if (asked === undefined || unusedBecause(origin, config) !== undefined) return false
  const patterns = config.redirectUris.flatMap((text) => patternOf(text, config) ?? [])
  return patterns.some((one) => /^https?:$/.test(one.scheme) && matchesOrigin(one, asked, config))
}

/** Which rules of the standards the redirect URIs of a configuration break. */
export type RedirectNote =
  | 'NoRedirectUris'
  | 'Code.RedirectUris.HttpOnlyForWeb'
  | 'Code.RedirectUris.CustomOnlyForNative'
  | 'Implicit.NotOffered'
  | 'Implicit.RedirectUris.CustomNotAllowed'
  | 'Implicit.RedirectUris.HttpNotAllowed'
  | 'Native.RedirectUris.MustBeHttpLocalhost'

/** Whether an application gets tokens in a way that needs no browser. */
function needsNoRedirect(grantTypes: OidcConfig['grantTypes']): boolean {
  return grantTypes.includes('device_code') || grantTypes.includes('ciba')
}

/** The rules that are broken, in the order that existing clients know. */
export function redirectNotes({ redirectUris, grantTypes, applicationType }: OidcConfig): readonly RedirectNote[] {
  const urls = redirectUris.flatMap((text) => sampleOf(text) ?? [])
  const plain = urls.filter(({ protocol }) => protocol === 'http:')
  const hasCustom = urls.some((url) => !isWeb(url))
  const hasCode = grantTypes.includes('authorization_code')
  const hasImplicit = grantTypes.includes('implicit')
  const isNative = applicationType === 'native'
  const rules: readonly (readonly [isBroken: boolean, RedirectNote])[] = [
    [urls.length === 0 && (hasCode || !needsNoRedirect(grantTypes)), 'NoRedirectUris'],
    [hasCode && plain.length > 0 && applicationType === 'user_agent', 'Code.RedirectUris.HttpOnlyForWeb'],
    [hasCode && hasCustom && !isNative, 'Code.RedirectUris.CustomOnlyForNative'],
    [hasImplicit, 'Implicit.NotOffered'],
    [hasImplicit && hasCustom, 'Implicit.RedirectUris.CustomNotAllowed'],
    [hasImplicit && plain.length > 0 && !isNative, 'Implicit.RedirectUris.HttpNotAllowed'],
    [isNative && plain.some(({ hostname }) => !isLoopbackHost(hostname)), 'Native.RedirectUris.MustBeHttpLocalhost'],
  ]
  return rules.flatMap(([isBroken, note]) => (isBroken ? [note] : []))
}
