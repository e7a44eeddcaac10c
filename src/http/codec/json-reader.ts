/**
 * JSON value to message, compiled once per message type: lowerCamelCase, snake_case and declared aliases in,
 * null is absent, unknown members are ignored, and every wrong value is named by its path.
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
import { aliasesOf } from './field-names.ts'
import { Trail } from './field-path.ts'
import { type ReadValue, scalarReader } from './json-scalars.ts'
import { wellKnownReader } from './json-well-known.ts'
import { brokenLimits } from './validate.ts'

/** A message while it is filled: members by their local names. */
export type Draft = Record<string, unknown>

/** Reads a field's JSON value into a message. */
export type ReadField = (draft: Draft, json: unknown, trail: Trail) => void

interface Member {
  readonly field: DescField
  readonly read: ReadField
  /** `null` is a value of its own for google.protobuf.Value, and absence for everything else. */
  readonly takesNull: boolean
}

type ReadMessage = (json: unknown, trail: Trail) => unknown

const compiled = new WeakMap<DescMessage, ReadMessage>()

/**
 * The reader of a message type: throws when the value does not fit, and names the limits that the rest of it breaks. With
 * a trail of its own, the caller goes on reading and finishes.
 */
export function jsonReader(schema: DescMessage): (json: unknown, trail?: Trail) => Message {
  const read = messageReader(schema)
  return (json, given) => {
    const trail = given ?? new Trail()
    const message = read(json ?? {}, trail) as Message | undefined
    // Not even an object.
    if (message === undefined) trail.finish()
    if (given === undefined) trail.finish(() => brokenLimits(schema, message as Message))
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
  const read: ReadMessage = (json, trail) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return trail.wrong('must be an object')
    const draft = create(schema) as unknown as Draft
    const seen: DescField[] = []
    for (const name in json) {
      const member = members.get(name)
      if (member === undefined) continue
      const value = (json as Draft)[name]
      if (value === null && !member.takesNull) continue
      trail.enter(member.field.jsonName)
      checkFirst(member.field, seen, trail)
      member.read(draft, value, trail)
      trail.leave()
    }
    return draft
  }
  // Before the fields, so that a type that contains itself finds its own reader.
  compiled.set(schema, read)
  for (const field of schema.fields) {
    const member = { field, read: fieldReader(field), takesNull: isNullable(field) }
    for (const name of spellings(field)) members.set(name, member)
  }
  return read
}

/** Refuses a field that came under another spelling already, and a second member of a oneof. */
function checkFirst(field: DescField, seen: DescField[], trail: Trail): void {
  for (const other of seen) {
    if (other === field) trail.wrong('is given more than once')
    else if (field.oneof !== undefined && other.oneof === field.oneof) {
      trail.wrong(`cannot be given together with ${other.jsonName}: only one of ${oneofMembers(field)} may be given`)
    }
  }
  seen.push(field)
}

function oneofMembers(field: DescField) {
  return (field.oneof?.fields ?? []).map((member) => member.jsonName).join(', ')
}

function spellings(field: DescField): readonly string[] {
  return [field.jsonName, field.name, ...aliasesOf(field).flatMap(({ name }) => [name, lowerCamelCase(name)])]
}

function lowerCamelCase(name: string) {
  return name.replace(/_+(.)/g, (_, letter: string) => letter.toUpperCase())
}

function isNullable(field: DescField) {
  return (
    (field.fieldKind === 'message' && field.message.typeName === 'google.protobuf.Value') ||
    (field.fieldKind === 'enum' && field.enum.typeName === 'google.protobuf.NullValue')
  )
}

/** The field that a name in JSON or in a URL means. */
export function fieldOf(schema: DescMessage, name: string): DescField | undefined {
  return schema.fields.find((field) => spellings(field).includes(name))
}

/** The reader that puts a JSON value into one field. */
export function fieldReader(field: DescField): ReadField {
  const local = field.localName
  if (field.fieldKind === 'list') return listReader(local, itemReader(field))
  if (field.fieldKind === 'map') return mapReader(local, field.mapKey, itemReader(field))
  const read = singularReader(field)
  if (field.oneof !== undefined) {
    const oneof = field.oneof.localName
    return (draft, json, trail) => {
      draft[oneof] = { case: local, value: read(json, trail) }
    }
  }
  return (draft, json, trail) => {
    draft[local] = read(json, trail)
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
  return (draft, json, trail) => {
    if (!Array.isArray(json)) return trail.wrong('must be an array')
    const items = draft[local] as unknown[]
    for (let index = 0; index < json.length; index++) {
      trail.enter(index)
      items.push(json[index] === null ? trail.wrong('must not be null') : read(json[index], trail))
      trail.leave()
    }
  }
}

function mapReader(local: string, keyType: ScalarType, read: ReadValue): ReadField {
  const readKey = keyReader(keyType)
  return (draft, json, trail) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return trail.wrong('must be an object')
    const entries = draft[local] as Draft
    for (const name in json) {
      const value = (json as Draft)[name]
      trail.enter(name)
      const key = readKey(name, trail)
      const entry = value === null ? trail.wrong('must not be null') : read(value, trail)
      // defineProperty, because the key may be __proto__.
      Object.defineProperty(entries, key, { value: entry, writable: true, enumerable: true, configurable: true })
      trail.leave()
    }
  }
}

function keyReader(type: ScalarType): (name: string, trail: Trail) => string {
  const read = scalarReader(type)
  return (name, trail) => {
    const isBoolean = name === 'true' || name === 'false'
    return String(read(type === BOOL && isBoolean ? name === 'true' : name, trail))
  }
}
const BOOL: ScalarType.BOOL = 8

const MAX_NAMES_SHOWN = 12

function enumReader(schema: DescEnum): ReadValue {
  if (schema.typeName === 'google.protobuf.NullValue') return () => 0
  const numbers = new Map<unknown, number>(schema.values.map(({ name, number }) => [name, number]))
  const names = schema.values.slice(0, MAX_NAMES_SHOWN).map(({ name }) => name)
  const isInt32 = (json: unknown) => typeof json === 'number' && (json | 0) === json
  return (json, trail) => {
    const number = numbers.get(json)
    if (number !== undefined) return number
    if (isInt32(json)) return json
    return trail.wrong(`must be one of ${names.join(', ')}${schema.values.length > MAX_NAMES_SHOWN ? ', …' : ''}`)
  }
}
