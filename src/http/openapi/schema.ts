/** Converts messages, fields and their limits to JSON Schema (2020-12, the dialect of OpenAPI 3.1). */
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
  getOption,
  ScalarType,
} from '@bufbuild/protobuf'
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt'
import * as validate from '../../../contract/gen/buf/validate/validate_pb.ts'
import { comments } from '../../../contract/gen/comments.ts'
import { aliases, json_length } from '../../../contract/gen/signet/v1/options_pb.ts'
import { formatOf } from './formats.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Schemas by name, added at their first reference. */
export interface SchemaBook {
  readonly schemas: Record<string, Schema>
  /** The fields of a message that are not described. */
  hiddenIn(message: DescMessage): ReadonlySet<DescField>
}

const NOTHING: ReadonlySet<DescField> = new Set()

/** An empty book. */
export function newSchemaBook(hiddenIn: SchemaBook['hiddenIn'] = () => NOTHING): SchemaBook {
  return { schemas: {}, hiddenIn }
}

const wellKnown: Readonly<Record<string, Schema>> = {
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time' },
  'google.protobuf.Duration': { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]{1,9})?s$' },
  'google.protobuf.Struct': { type: 'object', additionalProperties: true },
}

const scalars: Readonly<Record<ScalarType, Schema>> = {
  [ScalarType.DOUBLE]: { type: 'number', format: 'double' },
  [ScalarType.FLOAT]: { type: 'number', format: 'float' },
  [ScalarType.INT64]: { type: 'string', format: 'int64', pattern: '^-?[0-9]+$' },
  [ScalarType.UINT64]: { type: 'string', format: 'uint64', pattern: '^[0-9]+$' },
  [ScalarType.INT32]: { type: 'integer', format: 'int32' },
  [ScalarType.FIXED64]: { type: 'string', format: 'uint64', pattern: '^[0-9]+$' },
  [ScalarType.FIXED32]: { type: 'integer', format: 'uint32', minimum: 0 },
  [ScalarType.BOOL]: { type: 'boolean' },
  [ScalarType.STRING]: { type: 'string' },
  [ScalarType.BYTES]: { type: 'string', format: 'byte', contentEncoding: 'base64' },
  [ScalarType.UINT32]: { type: 'integer', format: 'uint32', minimum: 0 },
  [ScalarType.SFIXED32]: { type: 'integer', format: 'int32' },
  [ScalarType.SFIXED64]: { type: 'string', format: 'int64', pattern: '^-?[0-9]+$' },
  [ScalarType.SINT32]: { type: 'integer', format: 'int32' },
  [ScalarType.SINT64]: { type: 'string', format: 'int64', pattern: '^-?[0-9]+$' },
}

/** Only the members that are set. */
function defined(members: Readonly<Record<string, unknown>>): Schema {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== false))
}

function count(value: bigint | undefined): number | undefined {
  return value === undefined || value === 0n ? undefined : Number(value)
}

/** The length of padded base64 for this number of bytes. */
function base64Length(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / 3) * 4
}

function limitsOf(rules: validate.FieldRules): Schema {
  const { type } = rules
  switch (type.case) {
    case 'string':
      return defined({
        minLength: count(type.value.minLen),
        maxLength: count(type.value.maxLen),
        pattern: type.value.pattern || (type.value.prefix ? `^${RegExp.escape(type.value.prefix)}` : undefined),
        format: type.value.email ? 'email' : undefined,
      })
    case 'int32':
    case 'uint32':
      return defined({ minimum: type.value.gte || undefined, maximum: type.value.lte || undefined })
    case 'bytes':
      return defined({
        minLength: type.value.minLen > 0n ? 2 : undefined,
        maxLength: base64Length(count(type.value.maxLen)),
      })
    case 'repeated':
      return defined({
        minItems: count(type.value.minItems) ?? (rules.required ? 1 : undefined),
        maxItems: count(type.value.maxItems),
        uniqueItems: type.value.unique,
      })
    case 'bool':
      return { const: type.value.const }
    default:
      return {}
  }
}

/** Whether a request without the field breaks a rule. */
function isRequired(field: DescField): boolean {
  const rules = getOption(field, validate.field)
  if (rules.required) return true
  if (field.presence !== FeatureSet_FieldPresence.IMPLICIT) return false
  const { type } = rules
  if (type.case === 'string' || type.case === 'bytes') return type.value.minLen > 0n
  if (type.case === 'repeated') return type.value.minItems > 0n
  if (type.case === 'int32' || type.case === 'uint32') return type.value.gte > 0
  return type.case === 'enum' && type.value.notIn.includes(0)
}

function schemaOfEnum(book: SchemaBook, desc: DescEnum, forbidden: readonly number[]): Schema {
  const names = desc.values.filter((value) => !forbidden.includes(value.number)).map((value) => value.name)
  if (forbidden.length > 0) return { type: 'string', enum: names }
  const description = comments[desc.typeName]
  book.schemas[desc.typeName] ??= defined({ type: 'string', enum: names, default: names[0], description })
  return { $ref: `#/components/schemas/${desc.typeName}` }
}

/** Returns a reference to the schema of a message, and adds the schema if it is missing. */
export function schemaOfMessage(book: SchemaBook, desc: DescMessage): Schema {
  const known = wellKnown[desc.typeName]
  if (known) return known
  if (desc.typeName.startsWith('google.protobuf.')) throw new Error(`${desc.typeName} has no JSON schema here`)
  if (!book.schemas[desc.typeName]) {
    // Reserved before the members are described, because messages can be recursive.
    book.schemas[desc.typeName] = {}
    book.schemas[desc.typeName] = schemaOfMembers(book, desc)
  }
  return { $ref: `#/components/schemas/${desc.typeName}` }
}

function schemaOfItem(book: SchemaBook, field: DescField, rules: validate.FieldRules): Schema {
  if (field.message) return schemaOfMessage(book, field.message)
  if (field.enum) {
    return schemaOfEnum(book, field.enum, rules.type.case === 'enum' ? rules.type.value.notIn : [])
  }
  return field.scalar === undefined ? {} : scalars[field.scalar]
}

function describeField(field: DescField): string | undefined {
  const others = getOption(field, aliases).map(({ name }) => `\`${name}\``)
  const also = others.length > 0 ? `Also accepted as ${others.join(', ')}.` : undefined
  const own = comments[`${field.parent.typeName}.${field.name}`]
  const { min, max } = getOption(field, json_length)
  // JSON Schema cannot express the length of an object's text.
  const length = max > 0 ? `${min} to ${max} characters of compact JSON.` : undefined
  return [own, length, also].filter(Boolean).join(' ') || undefined
}

/** The schema of one field, with its limits and its comment. */
export function schemaOfField(book: SchemaBook, field: DescField): Schema {
  const rules = getOption(field, validate.field)
  const about = defined({ deprecated: field.proto.options?.deprecated, description: describeField(field) })
  if (field.fieldKind === 'map') {
    const { keys, values, maxPairs } = rules.type.case === 'map' ? rules.type.value : {}
    const item = { ...schemaOfItem(book, field, values ?? rules), ...(values ? limitsOf(values) : {}) }
    const limits = defined({ maxProperties: count(maxPairs), propertyNames: keys && limitsOf(keys) })
    return { type: 'object', additionalProperties: item, ...limits, ...about }
  }
  if (field.fieldKind === 'list') {
    const itemRules = rules.type.case === 'repeated' ? rules.type.value.items : undefined
    const item = schemaOfItem(book, field, itemRules ?? rules)
    return {
      type: 'array',
      items: { ...item, ...(itemRules ? limitsOf(itemRules) : {}) },
      ...limitsOf(rules),
      ...about,
    }
  }
  const secret = field.proto.options?.debugRedact && field.scalar === ScalarType.STRING ? { format: 'password' } : {}
  return { ...schemaOfItem(book, field, rules), ...secret, ...formatOf(field), ...limitsOf(rules), ...about }
}

/** At most one member of a oneof, or exactly one where the contract asks for it. */
function ruleOfOneof(oneof: DescOneof, hidden: ReadonlySet<DescField>): Schema {
  const each = oneof.fields.filter((field) => !hidden.has(field)).map((field) => ({ required: [field.jsonName] }))
  const none = { not: { anyOf: each } }
  return { oneOf: getOption(oneof, validate.oneof).required ? each : [...each, none] }
}

/** An object schema with the fields of a message, except those that are sent in the URL. */
export function schemaOfMembers(
  book: SchemaBook,
  desc: DescMessage,
  without: ReadonlySet<DescField> = book.hiddenIn(desc),
): Schema {
  const fields = desc.fields.filter((field) => !without.has(field))
  const required = fields.filter((field) => !field.oneof && isRequired(field)).map((field) => field.jsonName)
  const oneofs = desc.oneofs
    .filter((oneof) => oneof.fields.some((field) => !without.has(field)))
    .map((oneof) => ruleOfOneof(oneof, book.hiddenIn(desc)))
  return defined({
    type: 'object',
    description: comments[desc.typeName],
    properties: Object.fromEntries(fields.map((field) => [field.jsonName, schemaOfField(book, field)])),
    required: required.length > 0 ? required : undefined,
    allOf: oneofs.length > 0 ? oneofs : undefined,
  })
}
