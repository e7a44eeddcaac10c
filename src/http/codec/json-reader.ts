/**
 * Reads JSON values into messages. Readers are compiled once for each message type. They accept lowerCamelCase,
 * snake_case and aliases, treat null as absent, ignore and note unknown members and report all invalid values by path.
 */
import {
  create,
  type DescEnum,
  type DescField,
  type DescMessage,
  type Message,
  type ScalarType,
} from '@bufbuild/protobuf'
import { isWrapperDesc } from '@bufbuild/protobuf/wkt'
import { spellings, spellingsBefore } from './field-names.ts'
import { FieldPath, GIVEN_TWICE } from './field-path.ts'
import { type ReadValue, scalarReader } from './json-scalars.ts'
import { wellKnownReader } from './json-well-known.ts'
import { noteUnknownFields } from './unknown-fields.ts'
import { brokenLimits } from './validate.ts'

/** A message while it is filled. Members have their local names. */
export type Draft = Record<string, unknown>

/** Reads a field's JSON value into a message. */
export type ReadField = (draft: Draft, json: unknown, fieldPath: FieldPath) => void

interface Member {
  readonly field: DescField
  readonly read: ReadField
  /** `null` is a value for google.protobuf.Value, and means absent for all other types. */
  readonly takesNull: boolean
  /** Names of the field that count before this one. */
  readonly yieldsTo: readonly string[]
}

type ReadMessage = (json: unknown, fieldPath: FieldPath) => unknown

const compiled = new WeakMap<DescMessage, ReadMessage>()

/**
 * The reader of a message type. Throws when the value does not fit, and also reports the limits that the other fields
 * break. A caller who passes a field path continues reading and calls `finish`.
 */
export function jsonReader(schema: DescMessage): (json: unknown, fieldPath?: FieldPath) => Message {
  const read = messageReader(schema)
  return (json, given) => {
    const fieldPath = given ?? new FieldPath()
    const message = read(json ?? {}, fieldPath) as Message | undefined
    // The value is not an object.
    if (message === undefined) fieldPath.finish()
    if (given === undefined) {
      fieldPath.finish(() => brokenLimits(schema, message as Message))
      noteUnknownFields(message as Message, fieldPath.unknownFields)
    }
    return message as Message
  }
}

function messageReader(schema: DescMessage): ReadMessage {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const wellKnown = wellKnownReader(schema)
  if (wellKnown !== undefined) {
    compiled.set(schema, wellKnown)
    return wellKnown
  }
  const members = new Map<string, Member>()
  const read: ReadMessage = (json, fieldPath) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return fieldPath.wrong('must be an object')
    const draft = create(schema) as unknown as Draft
    const seen: DescField[] = []
    for (const name in json) {
      const member = members.get(name)
      if (member === undefined) {
        fieldPath.unknown(name)
        continue
      }
      const value = (json as Draft)[name]
      if (value === null && !member.takesNull) continue
      if (member.yieldsTo.some((own) => (json as Draft)[own] !== undefined && (json as Draft)[own] !== null)) continue
      fieldPath.enter(member.field.jsonName)
      checkFirst(member.field, seen, fieldPath)
      member.read(draft, value, fieldPath)
      fieldPath.leave()
    }
    return draft
  }
  // Set before the fields are compiled, so that a recursive type finds its own reader.
  compiled.set(schema, read)
  for (const field of schema.fields) {
    const member = { field, read: fieldReader(field), takesNull: isNullable(field) }
    for (const name of spellings(field)) members.set(name, { ...member, yieldsTo: spellingsBefore(field, name) })
  }
  return read
}

/** Refuses a field that was already given under another name, and a second member of a oneof. */
function checkFirst(field: DescField, seen: DescField[], fieldPath: FieldPath): void {
  for (const other of seen) {
    if (other === field) fieldPath.wrong(GIVEN_TWICE)
    else if (field.oneof !== undefined && other.oneof === field.oneof) {
      fieldPath.wrong(
        `cannot be given together with ${other.jsonName}: only one of ${oneofMembers(field)} may be given`,
      )
    }
  }
  seen.push(field)
}

function oneofMembers(field: DescField) {
  return (field.oneof?.fields ?? []).map((member) => member.jsonName).join(', ')
}

function isNullable(field: DescField) {
  return (
    (field.fieldKind === 'message' && field.message.typeName === 'google.protobuf.Value') ||
    (field.fieldKind === 'enum' && field.enum.typeName === 'google.protobuf.NullValue')
  )
}

/** The reader of one field. */
export function fieldReader(field: DescField): ReadField {
  const local = field.localName
  if (field.fieldKind === 'list') return listReader(local, itemReader(field))
  if (field.fieldKind === 'map') return mapReader(local, field.mapKey, itemReader(field))
  const read = singularReader(field)
  if (field.oneof !== undefined) {
    const oneof = field.oneof.localName
    return (draft, json, fieldPath) => {
      draft[oneof] = { case: local, value: read(json, fieldPath) }
    }
  }
  return (draft, json, fieldPath) => {
    draft[local] = read(json, fieldPath)
  }
}

/** The reader of one value of a singular field. */
function singularReader(field: DescField & { fieldKind: 'scalar' | 'enum' | 'message' }): ReadValue {
  if (field.fieldKind === 'scalar') return scalarReader(field.scalar, field.longAsString)
  if (field.fieldKind === 'enum') return enumReader(field.enum)
  // Outside a oneof, the generated code keeps a wrapper as its bare value.
  if (field.oneof === undefined && isWrapperDesc(field.message)) {
    const [value] = field.message.fields
    if (value?.fieldKind === 'scalar') return scalarReader(value.scalar)
  }
  return messageReader(field.message)
}

function itemReader(field: DescField & { fieldKind: 'list' | 'map' }): ReadValue {
  if (field.message !== undefined) return messageReader(field.message)
  if (field.enum !== undefined) return enumReader(field.enum)
  return scalarReader(field.scalar as ScalarType, field.fieldKind === 'list' && field.longAsString)
}

function listReader(local: string, read: ReadValue): ReadField {
  return (draft, json, fieldPath) => {
    if (!Array.isArray(json)) return fieldPath.wrong('must be an array')
    const items = draft[local] as unknown[]
    for (let index = 0; index < json.length; index++) {
      fieldPath.enter(index)
      items.push(json[index] === null ? fieldPath.wrong('must not be null') : read(json[index], fieldPath))
      fieldPath.leave()
    }
  }
}

function mapReader(local: string, keyType: ScalarType, read: ReadValue): ReadField {
  const readKey = keyReader(keyType)
  return (draft, json, fieldPath) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return fieldPath.wrong('must be an object')
    const entries = draft[local] as Draft
    for (const name in json) {
      const value = (json as Draft)[name]
      fieldPath.enter(name)
      const key = readKey(name, fieldPath)
      const entry = value === null ? fieldPath.wrong('must not be null') : read(value, fieldPath)
      // defineProperty, because the key may be __proto__.
      Object.defineProperty(entries, key, { value: entry, writable: true, enumerable: true, configurable: true })
      fieldPath.leave()
    }
  }
}

function keyReader(type: ScalarType): (name: string, fieldPath: FieldPath) => string {
  const read = scalarReader(type)
  return (name, fieldPath) => {
    const isBoolean = name === 'true' || name === 'false'
    return String(read(type === BOOL && isBoolean ? name === 'true' : name, fieldPath))
  }
}
const BOOL: ScalarType.BOOL = 8

const MAX_NAMES_SHOWN = 12

function enumReader(schema: DescEnum): ReadValue {
  if (schema.typeName === 'google.protobuf.NullValue') return () => 0
  const numbers = new Map<unknown, number>(schema.values.map(({ name, number }) => [name, number]))
  const names = schema.values.slice(0, MAX_NAMES_SHOWN).map(({ name }) => name)
  const isInt32 = (json: unknown) => typeof json === 'number' && (json | 0) === json
  return (json, fieldPath) => {
    const number = numbers.get(json)
    if (number !== undefined) return number
    if (isInt32(json)) return json
    return fieldPath.wrong(`must be one of ${names.join(', ')}${schema.values.length > MAX_NAMES_SHOWN ? ', …' : ''}`)
  }
}
