/** Validates the URIs and origins of an application: what can never be a redirect URI is refused. */
import { isIP } from 'node:net'

/** Browsers run these, or read local data with them, instead of opening an application. */
const DANGEROUS = /^(?:javascript|data|vbscript|file|blob|filesystem|about|view-source|ws|wss):$/

// A URI consists of printable ASCII characters (RFC 3986 §2); a backslash is read as a slash by browsers.
const URI_TEXT = /^[\x21-\x5b\x5d-\x7e]+$/
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:'
}

function parse(text: string): URL | undefined {
  return URI_TEXT.test(text) && SCHEME.test(text) && URL.canParse(text) ? new URL(text) : undefined
}

/** The URI, parsed. In development mode it is a pattern, and every wildcard stands for a character that all parts allow. */
export function parseRedirectUri(text: string, developmentMode: boolean): URL | undefined {
  return parse(developmentMode ? text.replaceAll('*', '1') : text)
}

/** Why `text` cannot be a redirect URI; undefined when it can. RFC 6749 §3.1.2: absolute, without a fragment. */
export function redirectUriProblem(text: string, developmentMode: boolean): string | undefined {
  const url = parseRedirectUri(text, developmentMode)
  if (url === undefined) return 'must be an absolute URI such as https://app.example.com/callback'
  if (DANGEROUS.test(url.protocol)) return `must not have the scheme ${url.protocol}`
  if (text.includes('#')) return 'must not have a fragment'
  if (isWeb(url) && !/^https?:\/\/[^/]/i.test(text)) return 'must have a host after the two slashes'
  return url.username === '' && url.password === '' ? undefined : 'must not contain a username or password'
}

/** Why `text` cannot be an origin; undefined when it can. RFC 6454 §6.2: scheme, host and port alone. */
export function originProblem(text: string): string | undefined {
  const url = parse(text)
  const isOrigin =
    url !== undefined &&
    !DANGEROUS.test(url.protocol) &&
    /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]+$/i.test(text) &&
    url.username === ''
  return isOrigin ? undefined : 'must be an origin such as https://app.example.com'
}

/** Why `text` cannot be the URI of an endpoint; undefined when it can. */
export function endpointProblem(text: string): string | undefined {
  const url = parse(text)
  if (url === undefined || !isWeb(url)) return 'must be an https URL'
  if (text.includes('#')) return 'must not have a fragment'
  return url.username === '' && url.password === '' ? undefined : 'must not contain a username or password'
}

/** The IP address that a URL names instead of a host name; undefined when it has a host name. */
export function addressOf(text: string): string | undefined {
  const host = parse(text)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return isIP(host) === 0 ? undefined : host
}

/** The origins of the redirect URIs and the additional origins, each once. Custom schemes have no origin. */
export function allowedOriginsOf({
  redirectUris,
  additionalOrigins,
}: {
  readonly redirectUris: readonly string[]
  readonly additionalOrigins: readonly string[]
}): readonly string[] {
  const origins = redirectUris.flatMap((text) => {
    const url = parse(text)
    return url !== undefined && isWeb(url) ? [url.origin] : []
  })
  return [...new Set([...origins, ...additionalOrigins])]
}
