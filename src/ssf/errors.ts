/** Errors of the Shared Signals Framework: a status, and a body like that of RFC 8935 §2.4. */
import type { PageAnswer, PageRequest } from '../http/page.ts'
import { Failed, type Fault, failureOf } from '../http/protocols/errors.ts'
import { type RefusalKind, Refused } from '../kernel/refusal.ts'

/** An error in the words of the protocol. */
export class SsfError extends Error {
  override readonly name = 'SsfError'
  readonly status: number
  readonly err: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, err: string, description: string, headers: Readonly<Record<string, string>> = {}) {
    super(description)
    this.status = status
    this.err = err
    this.headers = headers
  }
}

const ERRORS: Readonly<Record<RefusalKind, readonly [status: number, err: string]>> = {
  invalid: [400, 'invalid_request'],
  unauthenticated: [401, 'authentication_failed'],
  forbidden: [403, 'access_denied'],
  not_found: [404, 'not_found'],
  conflict: [409, 'conflict'],
  // A limit: another stream, or another subject, is one too many.
  precondition: [409, 'conflict'],
  exhausted: [429, 'too_many_requests'],
  aborted: [503, 'unavailable'],
  unavailable: [503, 'unavailable'],
  unknown: [500, 'server_error'],
}

function ofRefusal(error: Refused): SsfError {
  const [status, err] = ERRORS[error.kind]
  const fields = error.violations.map(({ field, description }) => `${field} ${description}`.trim())
  const text = [error.message, ...(fields.length === 0 ? [] : [`${fields.join('; ')}.`])].join(' ')
  const wait = error.retryAfterSeconds ?? (status === 503 || status === 429 ? 1 : undefined)
  return new SsfError(status, err, text, {
    ...(wait !== undefined && { 'retry-after': `${wait}` }),
  })
}

/** Any error in the words of the protocol; unexpected ones go to `log`. */
export function ssfErrorOf(error: unknown, requestId: string, path: string, log: (fault: Fault) => void): SsfError {
  if (error instanceof SsfError) return error
  if (error instanceof Refused) return ofRefusal(error)
  const { status, http = status.http, message } = failureOf(error, { requestId }, path, log)
  return new SsfError(http, http >= 500 ? 'server_error' : 'invalid_request', message)
}

/** Whether nobody is there any more who could read an answer. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Failed && error.failure.id === 'request.cancelled'
}

export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): PageAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(body), headers }
}

export function emptyAnswer(status: 200 | 202 | 204): PageAnswer {
  return { status, contentType: 'application/json', body: '' }
}

export function errorAnswer(
  { status, err, message, headers: own }: SsfError,
  { challenge = 'Bearer' }: Pick<PageRequest, 'challenge'>,
): PageAnswer {
  const headers = { ...own, ...(status === 401 && { 'www-authenticate': challenge }) }
  return jsonAnswer(status, { err, description: message }, headers)
}
