/** What an error of the API says: its code, its sentence, and what is wrong with which field. */
import { Code, ConnectError } from '@connectrpc/connect'
import { BadRequestSchema } from '../../../contract/gen/google/rpc/error_details_pb.ts'
import { ErrorDetailSchema } from '../../../contract/gen/signet/v1/error_detail_pb.ts'

export interface Violation {
  /** The path of the field in the request, such as `human.email.email`. */
  readonly field: string
  readonly description: string
}

export interface Failure {
  /** A stable code such as `user.username_taken`; see docs/reference/errors.md. */
  readonly id: string
  readonly message: string
  readonly violations: readonly Violation[]
  readonly kind: 'lost' | 'forbidden' | 'not_found' | 'invalid' | 'other'
}

/** Whether the request did not reach the server, or the server could not answer. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return error instanceof TypeError
  return error.code === Code.Unavailable || error.cause instanceof TypeError
}

function kindOf(error: unknown): Failure['kind'] {
  if (isLost(error)) return 'lost'
  if (!(error instanceof ConnectError)) return 'other'
  if (error.code === Code.PermissionDenied) return 'forbidden'
  if (error.code === Code.NotFound) return 'not_found'
  return error.code === Code.InvalidArgument ? 'invalid' : 'other'
}

/** Reads an error of any kind. */
export function readFailure(error: unknown): Failure {
  const kind = kindOf(error)
  if (!(error instanceof ConnectError)) return { id: '', message: String(error), violations: [], kind }
  const [detail] = error.findDetails(ErrorDetailSchema)
  const violations = error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations)
  return { id: detail?.id ?? '', message: detail?.message || error.rawMessage, violations, kind }
}
