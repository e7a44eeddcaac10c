/** The answers of the OpenID endpoints that are our own: JSON, errors of OAuth 2.0, and the headers of cross-origin calls. */
import { type PageAnswer, type PageHeaders, UnreadableForm } from '../http/page.ts'
import { isTemporary, Refused } from '../kernel/refusal.ts'
import { isStorableText } from '../store/index.ts'

/** Any origin may call: these endpoints ask for tokens and secrets, never for cookies. */
export const CROSS_ORIGIN: PageHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'www-authenticate, retry-after, dpop-nonce',
}

const UNCACHED: PageHeaders = { ...CROSS_ORIGIN, 'cache-control': 'no-store' }

/** A JSON document. */
export function jsonAnswer(body: unknown, status = 200, headers?: PageHeaders): PageAnswer {
  return {
    status,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
    headers: headers === undefined ? UNCACHED : { ...UNCACHED, ...headers },
  }
}

/** An error of an OAuth endpoint (RFC 6749 §5.2). */
export class OAuthError extends Error {
  readonly error: string
  readonly status: number
  /** Headers that the answer has because of it. */
  readonly headers: PageHeaders

  constructor(error: string, description: string, status = 400, { headers = {} }: { headers?: PageHeaders } = {}) {
    super(description)
    this.error = error
    this.status = status
    this.headers = headers
  }
}

/** The error for a source that starts too many requests (RFC 9126 §2.3); they are counted for a minute. */
export function tooManyRequests(): OAuthError {
  const headers = { 'retry-after': '60' }
  return new OAuthError('temporarily_unavailable', 'There are too many requests. Try again later.', 429, { headers })
}

/** Codes of refusals that are about what a client got from a user. */
const GRANT_REFUSAL = /^(grant|device_authorization|backchannel_request)\./

/** A text with the characters that descriptions may have (RFC 6749 §5.2); a target may have written it. */
export function describable(text: string): string {
  return text.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}

/** An action that fails says with which status; one that is broken is no mistake of the client. */
function statusOfRefusal({ kind }: Refused): number {
  return kind === 'unknown' ? 503 : 400
}

/** What an endpoint answers for an error that it expects: a refusal, or a body that it cannot read. */
export function oauthErrorOf(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error
  if (error instanceof UnreadableForm) {
    return new OAuthError('invalid_request', 'The body is not a form, or is too long.', error.status)
  }
  if (error instanceof Refused && GRANT_REFUSAL.test(error.code)) return new OAuthError('invalid_grant', error.message)
  if (error instanceof Refused && error.code === 'authorization_request.resource_unknown') {
    return new OAuthError('invalid_target', error.message)
  }
  if (error instanceof Refused && error.code === 'execution.target_failed') {
    return new OAuthError('access_denied', describable(error.message), statusOfRefusal(error))
  }
  if (isTemporary(error)) return new OAuthError('temporarily_unavailable', error.message, 503)
  return error instanceof Refused && error.kind === 'invalid'
    ? new OAuthError('invalid_request', error.message)
    : undefined
}

/**
 * The answer for an error. Only a client that used the header is challenged to use it again (RFC 6749 §5.2): browsers ask
 * their users for a password, and one that sent a form or an assertion has no use for it.
 */
export function errorAnswer(failure: OAuthError, usedHeader: boolean): PageAnswer {
  const { error, message, status } = failure
  const isChallenged = status === 401 && usedHeader
  const challenge: PageHeaders = isChallenged ? { 'www-authenticate': `Basic realm="signet", error="${error}"` } : {}
  return jsonAnswer({ error, error_description: message }, status, { ...challenge, ...failure.headers })
}

/** The answer for a bearer token that does not count (RFC 6750 §3). */
export function bearerError(error: string, description: string, status = 401): PageAnswer {
  return jsonAnswer({ error, error_description: description }, status, {
    'www-authenticate': `Bearer realm="signet", error="${error}", error_description="${description}"`,
  })
}

/** The answer for a request without a token: the challenge has no error then (RFC 6750 §3.1). */
export function noBearer(): PageAnswer {
  const body = { error: 'invalid_request', error_description: 'The request contains no access token.' }
  return jsonAnswer(body, 401, { 'www-authenticate': 'Bearer realm="signet"' })
}

/** Throws for a form with a parameter that is there twice (RFC 6749 §3.2). */
export function rejectRepeated(form: URLSearchParams): void {
  const names = [...form.keys()]
  if (new Set(names).size < names.length) {
    throw new OAuthError('invalid_request', 'A parameter is there more than once.')
  }
}

/** Throws for a parameter with characters that the database cannot store; no valid value of any parameter has them. */
export function rejectUnstorable(parameters: URLSearchParams): void {
  for (const [name, value] of parameters) {
    if (isStorableText(name) && isStorableText(value)) continue
    const where = isStorableText(name) ? `The parameter ${name}` : 'The name of a parameter'
    throw new OAuthError('invalid_request', `${where} contains a character that is not allowed.`)
  }
}

/** The answer to the question of a browser whether it may call from another origin. */
export function preflight(methods: string): PageAnswer {
  return {
    status: 204,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    headers: {
      ...CROSS_ORIGIN,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'authorization, content-type, dpop',
      'access-control-max-age': '3600',
    },
  }
}
