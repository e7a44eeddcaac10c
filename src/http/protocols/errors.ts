/**
 * Failures before a protocol writes them: refusals of modules, invalid requests, and faults. For a fault, the caller
 * receives only the request ID.
 */
import { Refused, type Violation } from '../../kernel/refusal.ts'
import { STATUS, type Status, statusOfKind } from './status.ts'

/** An error that any protocol can write. */
export interface Failure {
  readonly status: Status
  /** The HTTP status, if it differs from the default of `status`. */
  readonly http?: number
  /** Stable code of the reason, `signet.v1.ErrorDetail.id`. */
  readonly id: string
  readonly message: string
  /** Whether it is written with details; default true. */
  readonly hasDetails?: boolean
  readonly violations?: readonly Violation[]
  readonly retryAfterSeconds?: number
  /** Consecutive wrong passwords of the user, `signet.v1.CredentialsCheckError.failed_attempts`. */
  readonly failedAttempts?: number
  /** The text of the error detail, if it differs from the message. */
  readonly explanation?: string
  /** Further response headers: name, value, name, value … */
  readonly headers?: readonly string[]
}

/** A failure as an exception. */
export class Failed extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'Failed'
    this.failure = failure
  }
}

/** The largest request and the largest decompressed message, of methods that anybody may call the smaller one. */
export const MAX_REQUEST_BYTES = 4 * 1024 * 1024
export const MAX_PUBLIC_REQUEST_BYTES = 4 * 1024

/** A body that does not match its content type. */
export function malformed(message: string): Failed {
  return new Failed({ status: STATUS.invalid, id: 'request.malformed', message })
}

/** Fields that break a rule or have the wrong type. */
export function invalidFields(violations: readonly Violation[], headers: readonly string[] = []): Failed {
  const [first] = violations
  const more = violations.length - 1
  // A path can contain keys that the caller chose, and the message is sent in a header.
  const field = first?.field.slice(0, 100) ?? ''
  const named = field === '' ? first?.description : `${field}: ${first?.description}`
  const message = `The request is invalid: ${named}${more > 0 ? ` (and ${more} more)` : ''}.`
  return new Failed({ status: STATUS.invalid, id: 'request.invalid', message, violations, headers })
}

/** A request beyond the limit; trying again does not help, hence no `Retry-After`. */
export function tooLarge(maxBytes = MAX_REQUEST_BYTES): Failed {
  return new Failed({
    status: STATUS.exhausted,
    http: 413,
    id: 'request.too_large',
    message: `The request is larger than ${maxBytes} bytes.`,
  })
}

/** The caller disconnected before the whole request arrived. */
export function cancelled(): Failed {
  return new Failed({ status: STATUS.cancelled, id: 'request.cancelled', message: 'The client closed the request.' })
}

/** The deadline of the caller has passed. */
export const deadlineExceeded: Failure = Object.freeze({
  status: STATUS.deadline,
  id: 'request.deadline_exceeded',
  message: 'The deadline of the request was exceeded.',
})

/** A procedure path that nothing serves: as with other servers of gRPC, there is nothing more to say about it. */
export const unknownMethod: Failure = Object.freeze({
  status: STATUS.unimplemented,
  id: 'method.unknown',
  message: 'The method does not exist.',
  hasDetails: false,
})

/** A known path with the wrong HTTP method. */
export function wrongVerb(allowed: readonly string[]): Failure {
  return {
    status: STATUS.unimplemented,
    http: 405,
    id: 'route.method_not_allowed',
    message: `The HTTP method is not allowed for this path. Allowed: ${allowed.join(', ')}.`,
    headers: ['allow', allowed.join(', ')],
  }
}

/** A Connect GET whose query names no codec that is served. */
export function unknownCodec(): Failed {
  return new Failed({
    status: STATUS.invalid,
    http: 415,
    id: 'request.content_type_unsupported',
    message: 'The encoding of the message is not supported. Supported: json, proto.',
  })
}

/** A request compressed in a way that we cannot read; `header` tells the caller what we can. */
export function unknownEncoding(header: string, encodings: string): Failed {
  return new Failed({
    status: STATUS.unimplemented,
    http: 415,
    id: 'request.encoding_unknown',
    message: 'The compression of the request is not supported. Use gzip.',
    headers: [header, encodings],
  })
}

/** gRPC "Compression": a message marked as compressed in a request that names no compression. */
export function undeclaredCompression(): Failed {
  return new Failed({
    status: STATUS.internal,
    id: 'request.compression_undeclared',
    message: 'The message is marked as compressed, but grpc-encoding names no compression.',
  })
}

/** gRPC's answer to a request that has not exactly one message. */
export function notOneMessage(): Failed {
  return new Failed({
    status: STATUS.unimplemented,
    id: 'request.not_one_message',
    message: 'The method takes exactly one request message.',
  })
}

/** A fault as it is logged. */
export interface Fault {
  readonly error: unknown
  readonly requestId: string
  readonly method: string
}

/** What of a request its failures tell. */
export interface Asked {
  readonly requestId: string
  /** What tells a caller without a valid token where to get one. */
  readonly challenge?: string
}

/** Converts an error to a failure. Unexpected errors go to `log`, and the caller receives only the request ID. */
export function failureOf(
  error: unknown,
  { requestId, challenge = 'Bearer' }: Asked,
  method: string,
  log: (fault: Fault) => void,
): Failure {
  if (error instanceof Failed) return error.failure
  if (error instanceof Refused) {
    const status = statusOfKind(error.kind)
    const retryAfterSeconds = error.retryAfterSeconds ?? (status === STATUS.exhausted ? 1 : undefined)
    return {
      status,
      id: error.code,
      message: error.message,
      violations: error.violations,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) }),
      ...(error.failedAttempts === undefined ? {} : { failedAttempts: error.failedAttempts }),
      ...(status === STATUS.unauthenticated ? { headers: ['www-authenticate', challenge] } : {}),
    }
  }
  log({ error, requestId, method })
  return { status: STATUS.internal, id: 'internal', message: 'internal', explanation: `request ${requestId}` }
}
