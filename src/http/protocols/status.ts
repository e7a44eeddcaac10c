/** The table of all statuses: the kind of a refusal, its gRPC code, its Connect name and its HTTP status. */
import type { RefusalKind } from '../../kernel/refusal.ts'

/** One status in all protocols. */
export interface Status {
  /** google.rpc.Code, also the `code` of a REST error body. */
  readonly code: number
  readonly connect: string
  readonly http: number
}

function status(code: number, connect: string, http: number): Status {
  return Object.freeze({ code, connect, http })
}

/** All statuses that a response can have. */
export const STATUS = Object.freeze({
  cancelled: status(1, 'canceled', 499),
  unknown: status(2, 'unknown', 500),
  invalid: status(3, 'invalid_argument', 400),
  deadline: status(4, 'deadline_exceeded', 504),
  not_found: status(5, 'not_found', 404),
  conflict: status(6, 'already_exists', 409),
  forbidden: status(7, 'permission_denied', 403),
  exhausted: status(8, 'resource_exhausted', 429),
  precondition: status(9, 'failed_precondition', 400),
  aborted: status(10, 'aborted', 409),
  unimplemented: status(12, 'unimplemented', 501),
  internal: status(13, 'internal', 500),
  unavailable: status(14, 'unavailable', 503),
  unauthenticated: status(16, 'unauthenticated', 401),
})

/** The status of a refusal of this kind. */
export function statusOfKind(kind: RefusalKind): Status {
  return STATUS[kind]
}
