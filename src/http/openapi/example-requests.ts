/**
 * The least valid request of every method: what the descriptor requires, and what a method needs beside it. The OpenAPI
 * document shows them as examples about things that are made up, and tests send them about things that exist.
 */
import type { DescMessage, DescMethod, JsonObject, JsonValue } from '@bufbuild/protobuf'
import { getOption, hasOption, ScalarType } from '@bufbuild/protobuf'
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt'
import { field as fieldRules } from '../../../contract/gen/buf/validate/validate_pb.ts'
import { json_length } from '../../../contract/gen/signet/v1/options_pb.ts'
import type { ExampleThings } from './example-names.ts'
import { needsOf, thingsOf } from './example-things.ts'

/** How values are chosen where any will do. */
export interface ExampleValues {
  /** A text for a field, of about this many characters. */
  text(field: string, length: number): string
  /** An object whose JSON text has at least this many characters. */
  object(length: number): JsonObject
  /** The ID of a thing that is not among the things; without it, there must be none. */
  idOf?(field: string): string
}

/** Lengths at which the values of some fields are at ease; of all others, 8. */
const USUAL: ReadonlyMap<string, number> = new Map([
  ['email', 20],
  ['senderAddress', 20],
  ['password', 40],
  ['hash', 150],
  ['host', 20],
  ['issuer', 40],
])

/** The least that a message must contain. */
export function leastOf(message: DescMessage, values: ExampleValues): JsonObject {
  const body: Record<string, JsonValue> = {}
  for (const field of message.fields) {
    if (field.oneof !== undefined) continue
    const rules = hasOption(field, fieldRules) ? getOption(field, fieldRules) : undefined
    if (field.fieldKind === 'message') {
      const { min } = getOption(field, json_length)
      if (rules?.required === true) body[field.jsonName] = min > 0 ? values.object(min) : leastOf(field.message, values)
    } else if (field.fieldKind === 'scalar') {
      const type = rules?.type
      const isFilled = (type?.case === 'string' || type?.case === 'bytes') && type.value.minLen > 0n
      const isNeeded = rules?.required === true || (field.presence === FeatureSet_FieldPresence.IMPLICIT && isFilled)
      if (!isNeeded) continue
      const isBytes = field.scalar === ScalarType.BYTES
      body[field.jsonName] = isBytes ? 'AA==' : values.text(field.jsonName, USUAL.get(field.jsonName) ?? 8)
    }
  }
  return body
}

/** The request of a method about these things; throws when it names a thing of which there is none. */
export function exampleRequest(method: DescMethod, things: ExampleThings, values: ExampleValues): JsonObject {
  const full = `${method.parent.typeName}/${method.name}`
  const body: Record<string, JsonValue> = { ...leastOf(method.input, values) }
  const byField = thingsOf(method, things)
  if ('expirationDate' in body) body.expirationDate = '2029-01-01T00:00:00Z'
  for (const field of Object.keys(body)) {
    const thing = byField[field]
    if (thing !== undefined) body[field] = thing
    else if (/(^i|I)ds?$/.test(field)) {
      if (values.idOf === undefined) throw new Error(`${full}: there is no ${field} to give as an example`)
      body[field] = values.idOf(field)
    }
  }
  // The name of an organization or an address must not be one of the characters that no font has.
  if ('name' in body) body.name = 'A new name'
  for (const field of ['issuer', 'authorizationEndpoint', 'tokenEndpoint', 'userEndpoint']) {
    if (field in body) body[field] = things.issuer
  }
  // A change of an address takes the secret again.
  if (method.input.fields.some(({ jsonName }) => jsonName === 'clientSecret')) body.clientSecret = 'secret'
  return { ...body, ...needsOf(method, things) }
}
