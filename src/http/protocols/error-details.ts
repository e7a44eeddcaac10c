/** Writes a failure in each protocol: as `google.rpc.Status` bytes, REST body or Connect body. */
import { create, type DescMessage, type MessageInitShape, toBinary, toJson } from '@bufbuild/protobuf'
import { BadRequestSchema, HelpSchema, RetryInfoSchema } from '../../../contract/gen/google/rpc/error_details_pb.ts'
import { StatusSchema } from '../../../contract/gen/google/rpc/status_pb.ts'
import { CredentialsCheckErrorSchema, ErrorDetailSchema } from '../../../contract/gen/signet/v1/error_detail_pb.ts'
import { documentationOfError } from '../../kernel/page-paths.ts'
import type { Violation } from '../../kernel/refusal.ts'
import type { Prefix } from './aliases.ts'
import type { Failure } from './errors.ts'

interface Detail {
  readonly type: string
  readonly value: Uint8Array<ArrayBuffer>
  readonly json: object
}

function detail<Desc extends DescMessage>(
  schema: Desc,
  init: MessageInitShape<Desc>,
  type: string = schema.typeName,
): Detail {
  const message = create(schema, init)
  return { type, value: toBinary(schema, message), json: toJson(schema, message) as object }
}

/**
 * Clients limit the size of trailers, often to 8 KiB, so the list of violations is cut. All protocols cut it at the
 * same place.
 */
const VIOLATION_BYTES = 3072
const MAX_CHARACTERS = 300

/** Returns as many violations as fit into a response. */
export function fittingViolations(violations: readonly Violation[]): Violation[] {
  const kept: Violation[] = []
  let size = 0
  for (const violation of violations) {
    const field = violation.field.slice(0, MAX_CHARACTERS).toWellFormed()
    const description = violation.description.slice(0, MAX_CHARACTERS).toWellFormed()
    size += Buffer.byteLength(field) + Buffer.byteLength(description) + 8
    if (size > VIOLATION_BYTES && kept.length > 0) break
    kept.push({ field, description })
  }
  return kept
}

const helps = new Map<string, Detail>()

/** Where the error is explained: one detail for each code that was sent, because it never changes. */
function helpOf(id: string): Detail {
  const known = helps.get(id)
  if (known !== undefined) return known
  const help = detail(HelpSchema, { links: [{ description: 'About this error', url: documentationOfError(id) }] })
  helps.set(id, help)
  return help
}

function detailsOf(failure: Failure, prefix: Prefix): readonly Detail[] {
  const { id, message, explanation = message, violations = [], retryAfterSeconds, failedAttempts } = failure
  if (failure.hasDetails === false) return []
  // Existing clients look the detail up under their own name; the message is the same.
  const details = [detail(ErrorDetailSchema, { id, message: explanation }, `${prefix}.v1.ErrorDetail`)]
  if (failedAttempts !== undefined) {
    const type = `${prefix}.v1.CredentialsCheckError`
    details.push(detail(CredentialsCheckErrorSchema, { id, message: explanation, failedAttempts }, type))
  }
  if (violations.length > 0) details.push(detail(BadRequestSchema, { fieldViolations: fittingViolations(violations) }))
  if (retryAfterSeconds !== undefined) {
    details.push(detail(RetryInfoSchema, { retryDelay: { seconds: BigInt(retryAfterSeconds) } }))
  }
  // The last one: clients may look for the others by their place.
  details.push(helpOf(id))
  return details
}

function typeUrl(type: string) {
  return `type.googleapis.com/${type}`
}

/** The `google.rpc.Status` of a failure, as `grpc-status-details-bin` carries it. */
function statusBytes(failure: Failure, prefix: Prefix): Uint8Array {
  const details = detailsOf(failure, prefix).map(({ type, value }) => ({ typeUrl: typeUrl(type), value }))
  return toBinary(StatusSchema, create(StatusSchema, { code: failure.status.code, message: failure.message, details }))
}

const written = new WeakMap<Failure, Map<string, string>>()

/** A failure that never changes is written once: there are many of them when the server is overloaded. */
function once(failure: Failure, name: string, write: () => string): string {
  if (!Object.isFrozen(failure)) return write()
  const texts = written.get(failure) ?? new Map<string, string>()
  const text = texts.get(name) ?? write()
  written.set(failure, texts.set(name, text))
  return text
}

/** The error body of REST. */
export function restErrorBody(failure: Failure, prefix: Prefix): string {
  return once(failure, `rest ${prefix}`, () =>
    JSON.stringify({
      code: failure.status.code,
      message: failure.message,
      details: detailsOf(failure, prefix).map(({ type, json }) => ({ '@type': typeUrl(type), ...json })),
    }),
  )
}

/** The error body of Connect; `value` is base64 without padding. */
export function connectErrorBody(failure: Failure, prefix: Prefix): string {
  return once(failure, `connect ${prefix}`, () =>
    JSON.stringify({
      code: failure.status.connect,
      message: failure.message,
      details: detailsOf(failure, prefix).map(({ type, value, json }) => ({
        type,
        value: unpaddedBase64(value),
        debug: json,
      })),
    }),
  )
}

function unpaddedBase64(bytes: Uint8Array) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64').replace(/=+$/, '')
}

/** Percent-encodes characters that are not allowed in `grpc-message` (gRPC over HTTP/2, "Responses"). */
function encodeGrpcMessage(message: string): string {
  return message.toWellFormed().replace(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent)
}

/** The status fields of gRPC: name, value, name, value … */
export function grpcStatusFields(failure: Failure, prefix: Prefix): string[] {
  const fields = ['grpc-status', String(failure.status.code), 'grpc-message', encodeGrpcMessage(failure.message)]
  if (failure.hasDetails === false) return fields
  const details = once(failure, `grpc ${prefix}`, () => unpaddedBase64(statusBytes(failure, prefix)))
  return [...fields, 'grpc-status-details-bin', details]
}

/** The response headers of a failure in protocols with HTTP statuses. */
export function failureHeaders(failure: Failure): readonly string[] {
  const own = failure.headers ?? []
  return failure.retryAfterSeconds === undefined ? own : [...own, 'retry-after', String(failure.retryAfterSeconds)]
}
