/** What a caller learns, in one shape for every protocol, so that answers can be compared. */
import { type DescMessage, fromBinary, type JsonValue, toJson } from '@bufbuild/protobuf'
import { BadRequestSchema, HelpSchema, RetryInfoSchema } from '../../contract/gen/google/rpc/error_details_pb.ts'
import { StatusSchema } from '../../contract/gen/google/rpc/status_pb.ts'
import { ErrorDetailSchema } from '../../contract/gen/signet/v1/error_detail_pb.ts'

export interface Problem {
  readonly code: number
  readonly message: string
  readonly details: readonly { readonly type: string; readonly value: JsonValue }[]
}

export type Answer = { readonly reply: JsonValue } | { readonly problem: Problem }

const SCHEMAS: Readonly<Record<string, DescMessage>> = {
  'signet.v1.ErrorDetail': ErrorDetailSchema,
  'zitadel.v1.ErrorDetail': ErrorDetailSchema,
  'google.rpc.BadRequest': BadRequestSchema,
  'google.rpc.RetryInfo': RetryInfoSchema,
  'google.rpc.Help': HelpSchema,
}

/** The detail that leads to the page of an error. */
export function helpFor(id: string): { type: string; value: JsonValue } {
  const links = [{ description: 'About this error', url: `/ui/docs/reference/errors#${id}` }]
  return { type: 'google.rpc.Help', value: { links } }
}

/** An error detail from its bytes. */
export function readDetail(type: string, bytes: Uint8Array): { type: string; value: JsonValue } {
  const schema = SCHEMAS[type]
  if (schema === undefined) throw new Error(`unknown error detail ${type}`)
  return { type, value: toJson(schema, fromBinary(schema, bytes)) }
}

/** A problem from `grpc-status-details-bin`. */
export function readStatus(bytes: Uint8Array): Problem {
  const { code, message, details } = fromBinary(StatusSchema, bytes)
  return {
    code,
    message,
    details: details.map(({ typeUrl, value }) => readDetail(typeUrl.replace(/^.*\//, ''), value)),
  }
}

/** A problem from a REST body. */
export function readRestProblem(body: {
  readonly code: number
  readonly message: string
  readonly details: readonly Record<string, JsonValue>[]
}): Problem {
  return {
    code: body.code,
    message: body.message,
    details: body.details.map(({ '@type': type, ...value }) => ({ type: String(type).replace(/^.*\//, ''), value })),
  }
}
