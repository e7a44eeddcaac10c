/** REST: JSON on the paths that the contract declares with `google.api.http`. */
import { create, getOption, hasOption, type Message } from '@bufbuild/protobuf'
import { success_status } from '../../../contract/gen/signet/v1/options_pb.ts'
import { plainBounds } from '../body.ts'
import { fieldOf } from '../codec/field-names.ts'
import { FieldPath } from '../codec/field-path.ts'
import { type Draft, fieldReader } from '../codec/json-reader.ts'
import { parseJson } from '../codec/json-text.ts'
import { noteUnknownFields } from '../codec/unknown-fields.ts'
import { brokenLimits } from '../codec/validate.ts'
import type { Exchange } from '../exchange.ts'
import { decompress, ENCODINGS, replyWith } from './compression.ts'
import { hasForeignCharset, mediaType } from './content-type.ts'
import type { Protocol } from './dispatch.ts'
import { failureHeaders, restErrorBody } from './error-details.ts'
import { Failed, malformed, unknownEncoding } from './errors.ts'
import { parameterSetter, readQuery, type SetParameter } from './rest-parameters.ts'
import { namesIn, type RestRule, type Route, restRulesOf } from './rest-router.ts'
import type { Served } from './served.ts'
import { STATUS } from './status.ts'
import { parseGrpcTimeout } from './timeout.ts'

const JSON_TYPE = ['content-type', 'application/json']

/** A method on one of its REST paths. */
export interface Binding {
  readonly served: Served
  readonly protocol: Protocol
  readonly hasBody: boolean
}

/** Writes a failure as REST. Used whenever the caller asks for no other protocol. */
export const refuseRest: Protocol['refuse'] = (exchange, failure, served) => {
  exchange.errorId = failure.id
  const headers = [...JSON_TYPE, ...(served?.headers ?? []), ...failureHeaders(failure)]
  const body = restErrorBody(failure, exchange.prefix)
  exchange.reply({ status: failure.http ?? failure.status.http, code: failure.status.code, headers, body })
}

/** An unsupported content type; the list contains the supported ones. */
export function unsupportedType(types: string): Failed {
  return new Failed({
    status: STATUS.invalid,
    http: 415,
    id: 'request.content_type_unsupported',
    message: `The content type is not supported. Supported: ${types}.`,
    headers: ['accept-post', types],
  })
}

/** Whether a content type, if given, is JSON. */
export function isJson(contentType: string | undefined): boolean {
  return (
    contentType === 'application/json' ||
    (mediaType(contentType) === 'application/json' && !hasForeignCharset(contentType))
  )
}

/** The REST routes of a method. */
export function routesOf(served: Served): readonly Route<Binding>[] {
  return restRulesOf(served.method.descriptor).map((rule) => routeOf(served, rule))
}

function routeOf(served: Served, { verb, template, body }: RestRule): Route<Binding> {
  const read = requestReader(served, template, body)
  const hasBody = body !== ''
  const protocol: Protocol = {
    name: 'rest',
    bounds: hasBody ? plainBounds : undefined,
    timeout: (exchange) => parseGrpcTimeout(exchange.header('grpc-timeout')),
    read: (exchange, _served, bytes) => {
      const plain = unpack(exchange, bytes, served.maxBytes)
      return plain instanceof Promise ? plain.then((done) => read(exchange, done)) : read(exchange, plain)
    },
    answer: answerWith(served),
    refuse: refuseRest,
  }
  return { verb, template, target: { served, protocol, hasBody } }
}

function answerWith(served: Served): Protocol['answer'] {
  const { descriptor } = served.method
  const status = hasOption(descriptor, success_status) ? getOption(descriptor, success_status) : 200
  const headers = [...JSON_TYPE, ...served.headers]
  return (exchange, { codecs }, message) => replyWith(exchange, status, headers, codecs.json.write(message))
}

function unpack(exchange: Exchange, bytes: Buffer, maxBytes: number): Buffer | Promise<Buffer> {
  if (bytes.length === 0) return bytes
  // A body without a type can come from a web page that must not send one without a preflight (a "simple" request).
  if (exchange.header('content-type') === undefined) throw unsupportedType('application/json')
  const encoding = exchange.header('content-encoding') ?? 'identity'
  if (encoding === 'identity') return bytes
  if (encoding === 'gzip') return decompress(bytes, maxBytes)
  throw unknownEncoding('accept-encoding', ENCODINGS)
}

/** Reads the request message from body, query and path. The path takes precedence. */
function requestReader(served: Served, template: string, body: string) {
  const { input } = served.method.descriptor
  const setters = namesIn(template).map((name): SetParameter => {
    const set = parameterSetter(input, name, true)
    if (set === undefined) throw new Error(`${served.name} has no field ${name} for ${template}`)
    return set
  })
  const readPart = body === '' || body === '*' ? undefined : partReader(served, body)

  return ({ parameters, query }: Exchange, bytes: Buffer): Message => {
    if (body === '*' && setters.length === 0) return served.readValue(parseJson(bytes))
    const fieldPath = new FieldPath()
    const message = body === '*' ? served.readValue(parseJson(bytes), fieldPath) : create(input)
    const draft = message as unknown as Draft
    if (bytes.length > 0) readPart?.(draft, parseJson(bytes), fieldPath)
    if (body !== '*' && query !== '') readQuery(input, query, draft, fieldPath)
    for (const [index, set] of setters.entries()) set(draft, [decodeSegment(parameters[index])], fieldPath)
    fieldPath.finish(() => brokenLimits(input, message))
    noteUnknownFields(message, fieldPath.unknownFields)
    return message
  }
}

/** The reader of a body that contains one field of the request. */
function partReader(served: Served, name: string) {
  const field = fieldOf(served.method.descriptor.input, name)
  if (field === undefined) throw new Error(`${served.name} has no field ${name} for its body`)
  const read = fieldReader(field)
  return (draft: Draft, json: unknown, fieldPath: FieldPath) => {
    if (json === null) return
    fieldPath.enter(field.jsonName)
    read(draft, json, fieldPath)
    fieldPath.leave()
  }
}

function decodeSegment(segment = ''): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw malformed('The percent-encoding of the path is invalid.')
  }
}
