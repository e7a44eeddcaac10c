/**
 * Validates the issuer and the endpoints of a provider. The addresses that a host name resolves to are checked at each
 * connection, not here.
 */
import { isLoopbackHost } from '../../kernel/loopback.ts'

function urlProblem(url: URL | undefined): string | undefined {
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an https URL'
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    return 'must be an https URL unless it is on this machine'
  return url.username === '' && url.password === '' ? undefined : 'must not contain a username or password'
}

// If `new URL` would silently change the text, it is not the name that the provider uses for itself.
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

/**
 * Why `text` cannot be a scope; undefined when it can. RFC 6749 §3.3, and spaces, because some clients send several
 * scopes in one text.
 */
export function scopeProblem(text: string): string | undefined {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text)
    ? undefined
    : 'must consist of printable ASCII characters except " and \\'
}
