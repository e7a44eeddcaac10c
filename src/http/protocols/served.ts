/**
 * A method that is ready to be served. Everything that depends only on its descriptors is computed once, at the start.
 */
import {
  create,
  type DescMessage,
  getOption,
  hasOption,
  type Message,
  type MessageInitShape,
  toBinary,
  toJsonString,
} from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'
import { replaced_by } from '../../../contract/gen/signet/v1/options_pb.ts'
import type { Method } from '../../access/method.ts'
import { accessOf } from '../../access/requirement.ts'
import { type Priority, priorityOfMethod } from '../admission/priority.ts'
import { binaryReader } from '../codec/binary-reader.ts'
import type { FieldPath } from '../codec/field-path.ts'
import { jsonReader } from '../codec/json-reader.ts'
import { parseJson } from '../codec/json-text.ts'
import { limitsOf } from '../codec/validate.ts'
import type { Codec } from './content-type.ts'
import { MAX_PUBLIC_REQUEST_BYTES, MAX_REQUEST_BYTES } from './errors.ts'

/** Reads and writes the messages of one method in one codec. */
export interface Writing {
  read(bytes: Buffer): Message
  write(message: Message): Uint8Array | string
}

/** A method with everything that serving it needs. */
export interface Served {
  readonly method: Method
  /** `signet.user.v2.UserService/GetUserByID` */
  readonly name: string
  readonly codecs: Readonly<Record<Codec, Writing>>
  /** The largest request message, also when it is decompressed. */
  readonly maxBytes: number
  /** A JSON value, already parsed, to the request message. */
  readValue(json: unknown, fieldPath?: FieldPath): Message
  /** Throws when the request breaks the limits of the contract. */
  check(message: Message): void
  /** Completes the result of the handler to a whole message. */
  complete(answer: unknown): Message
  /** Which calls go first when the server is overloaded. */
  readonly priority: Priority
  /** Whether a call changes nothing, so that GET is allowed. */
  readonly isSafe: boolean
  /** Headers of all responses: the notice of a deprecated method. */
  readonly headers: readonly string[]
}

/**
 * RFC 9745: the date since which deprecated methods are deprecated, 2026-01-01T00:00:00Z. All of them were deprecated
 * when the contract was first published.
 */
const DEPRECATED_SINCE = '@1767225600'

/** Prepares methods for serving. */
export function serveMethods(methods: readonly Method[]): readonly Served[] {
  const paths = new Set(methods.map(({ descriptor }) => nameOf(descriptor)))
  return methods.map((method) => serveMethod(method, paths))
}

function nameOf({ parent, name }: Method['descriptor']) {
  return `${parent.typeName}/${name}`
}

function serveMethod(method: Method, paths: ReadonlySet<string>): Served {
  const { input, output, idempotency } = method.descriptor
  const readValue = jsonReader(input)
  const codecs = {
    proto: { read: binaryReader(input), write: (message: Message) => toBinary(output, message) },
    json: {
      read: (bytes: Buffer) => readValue(parseJson(bytes)),
      write: (message: Message) => toJsonString(output, message),
    },
  }
  return Object.freeze({
    method,
    name: nameOf(method.descriptor),
    codecs,
    // Without a token, a request causes no more work than such messages need.
    maxBytes: accessOf(method.descriptor).public ? MAX_PUBLIC_REQUEST_BYTES : MAX_REQUEST_BYTES,
    readValue,
    check: limitsOf(input, method.violations),
    complete: (answer: unknown) => create(output, answer as MessageInitShape<DescMessage>),
    priority: priorityOfMethod(method.descriptor),
    isSafe: idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS,
    headers: deprecation(method, paths),
  })
}

function deprecation({ descriptor }: Method, paths: ReadonlySet<string>): readonly string[] {
  if (!descriptor.deprecated) return []
  const replacement = hasOption(descriptor, replaced_by) ? getOption(descriptor, replaced_by) : ''
  // Both `signet.user.v2.UserService.CreateUser` and `signet.user.v2.UserService/CreateUser` are valid.
  const path = replacement.includes('/') ? replacement : replacement.replace(/\.([^.]+)$/, '/$1')
  const link = paths.has(path) ? ['link', `</${path}>; rel="successor-version"`] : []
  return ['deprecation', DEPRECATED_SINCE, ...link]
}
