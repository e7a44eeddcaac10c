/** What may be the issuer or an endpoint of a provider. Where a name leads is seen when it is contacted, not here. */
import { isIP } from 'node:net'

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    (isIP(host) === 4 && host.startsWith('127.'))
  )
}

function urlProblem(url: URL | undefined): string | undefined {
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an https URL'
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'must be an https URL unless it is on this machine'
  return url.username === '' && url.password === '' ? undefined : 'must not contain a username or password'
}

// Whatever `new URL` would drop or repair unseen is not what the provider will call itself.
const WELL_WRITTEN = /^https?:\/\/[^/\\][\x21-\x5b\x5d-\x7e]*$/

function parse(text: string): URL | undefined {
  return WELL_WRITTEN.test(text) && URL.canParse(text) ? new URL(text) : undefined
}

/** Why `text` cannot be an issuer; undefined when it can. OpenID Connect Discovery 1.0 §3: no query, no fragment. */
export function issuerProblem(text: string): string | undefined {
  const problem = urlProblem(parse(text))
  if (problem !== undefined) return problem
  return /[?#]/.test(text) ? 'must not have a query or a fragment' : undefined
}

/** Why `text` cannot be an endpoint; undefined when it can. RFC 6749 §3.1: no fragment. */
export function endpointProblem(text: string): string | undefined {
  const problem = urlProblem(parse(text))
  return problem ?? (text.includes('#') ? 'must not have a fragment' : undefined)
}

/** Why `text` cannot be a scope; undefined when it can. RFC 6749 §3.3, and spaces: some put several into one. */
export function scopeProblem(text: string): string | undefined {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text)
    ? undefined
    : 'must consist of printable ASCII characters except " and \\'
}
