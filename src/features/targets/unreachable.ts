/** What went wrong on the way to a target, for those who may read targets. */

const NOT_FOUND = 'its name is not known'
const TOO_LATE = 'the connection took too long'
const CLOSED = 'the connection was closed'
const NO_WAY = 'there is no way to the address'

/** By the codes of Node and of the system. */
const CAUSES: Readonly<Record<string, string>> = {
  ENOTFOUND: NOT_FOUND,
  EAI_AGAIN: NOT_FOUND,
  ECONNREFUSED: 'the connection was refused',
  ETIMEDOUT: TOO_LATE,
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  EHOSTUNREACH: NO_WAY,
  ENETUNREACH: NO_WAY,
}

// Codes of OpenSSL about handshakes and certificates: EPROTO, ERR_SSL_…, ERR_TLS_…, CERT_HAS_EXPIRED,
// DEPTH_ZERO_SELF_SIGNED_CERT, UNABLE_TO_VERIFY_LEAF_SIGNATURE.
const TLS = /^EPROTO$|^ERR_(SSL|TLS)_|CERT|SIGNATURE/

/** The code of the error at the bottom; several addresses can have failed, then that of the first. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const [first] = error instanceof AggregateError ? error.errors : []
  const below = codeOf(first ?? error.cause)
  const { code } = error as { readonly code?: unknown }
  return below !== '' || typeof code !== 'string' ? below : code
}

/** Why an address could not be reached; undefined when that is not known. */
export function whyUnreachable(error: unknown): string | undefined {
  const code = codeOf(error)
  if (TLS.test(code)) return `TLS failed: ${code}`
  return CAUSES[code]
}

/** An address without what may be a secret: credentials and the query. */
export function shownAddress(endpoint: string): string {
  const { origin, pathname } = new URL(endpoint)
  return origin + pathname
}
