/**
 * Which addresses an application can have, checked while the user types. The same rules as those of the server, in
 * `src/features/applications/addresses.ts` and `src/openid/redirect-uris.ts`; a test compares them.
 */
import { isLoopbackHost } from '../../../../src/kernel/loopback.ts'

export type UriProblem = 'absolute' | 'scheme' | 'fragment' | 'host' | 'credentials' | 'http' | 'custom'

export interface UriRules {
  readonly kind: 'web' | 'spa' | 'native'
  readonly developmentMode: boolean
}

/** Browsers run these, or read local data with them, instead of opening an application. */
const DANGEROUS = /^(?:javascript|data|vbscript|file|blob|filesystem|about|view-source|ws|wss):$/
// A URI consists of printable ASCII characters (RFC 3986 §2); a backslash is read as a slash by browsers.
const URI_TEXT = /^[\x21-\x5b\x5d-\x7e]+$/
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

function parse(text: string): URL | undefined {
  return URI_TEXT.test(text) && SCHEME.test(text) && URL.canParse(text) ? new URL(text) : undefined
}

/** Why the text cannot be a redirect URI of such an application; undefined when it can. */
export function redirectUriProblem(text: string, { kind, developmentMode }: UriRules): UriProblem | undefined {
  const url = parse(developmentMode ? text.replaceAll('*', '1') : text)
  if (url === undefined) return 'absolute'
  if (DANGEROUS.test(url.protocol)) return 'scheme'
  if (text.includes('#')) return 'fragment'
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (isWeb && !/^https?:\/\/[^/]/i.test(text)) return 'host'
  if (url.username !== '' || url.password !== '') return 'credentials'
  if (!isWeb) return kind === 'native' ? undefined : 'custom'
  const allowsHttp = developmentMode || kind === 'web' || isLoopbackHost(url.hostname)
  return url.protocol === 'https:' || allowsHttp ? undefined : 'http'
}

/** Why the text cannot be an origin (RFC 6454 §6.2); undefined when it can. */
export function originProblem(text: string): 'origin' | undefined {
  const url = parse(text)
  const isOrigin = url !== undefined && !DANGEROUS.test(url.protocol) && /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]+$/i.test(text)
  return isOrigin ? undefined : 'origin'
}

/** Why the text cannot be the URL of an endpoint; undefined when it can. */
export function endpointProblem(text: string): 'endpoint' | 'fragment' | 'credentials' | undefined {
  const url = parse(text)
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'endpoint'
  if (text.includes('#')) return 'fragment'
  return url.username === '' && url.password === '' ? undefined : 'credentials'
}
