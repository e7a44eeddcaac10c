/** The google.protobuf types that have a special JSON form. */
import { type DescMessage, fromJson, type JsonValue } from '@bufbuild/protobuf'
import { isWrapperDesc } from '@bufbuild/protobuf/wkt'
import type { FieldPath } from './field-path.ts'
import { type ReadValue, scalarReader } from './json-scalars.ts'

const FORMS: ReadonlyMap<string, string> = new Map([
  ['google.protobuf.Timestamp', 'must be a timestamp such as 2026-01-31T12:00:00Z'],
  ['google.protobuf.Duration', 'must be a duration such as 3.5s'],
  ['google.protobuf.FieldMask', 'must be a comma-separated list of field names'],
  ['google.protobuf.Any', 'must be an object with a known @type'],
  ['google.protobuf.Value', 'must be a JSON value of well-formed text and finite numbers'],
  ['google.protobuf.ListValue', 'must be an array of JSON values'],
])

/** The reader of a type with a special JSON form; undefined for all other types. */
export function wellKnownReader(schema: DescMessage): ReadValue | undefined {
  if (!schema.typeName.startsWith('google.protobuf.')) return undefined
  // The generated code represents a Struct as a plain object.
  if (schema.typeName === 'google.protobuf.Struct') return readStruct
  const form = FORMS.get(schema.typeName)
  if (form !== undefined) {
    return (json, fieldPath) => {
      try {
        const message = fromJson(schema, json as JsonValue)
        return isPlain(json) ? message : fieldPath.wrong(form)
      } catch {
        return fieldPath.wrong(form)
      }
    }
  }
  if (!isWrapperDesc(schema)) return undefined
  const [value] = schema.fields
  if (value?.fieldKind !== 'scalar') return undefined
  const read = scalarReader(value.scalar)
  return (json, fieldPath) => ({ $typeName: schema.typeName, value: read(json, fieldPath) })
}

function readStruct(json: unknown, fieldPath: FieldPath): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return fieldPath.wrong('must be an object')
  return isPlain(json) ? json : fieldPath.wrong('must be an object of well-formed text and finite numbers')
}

/** Whether every text is well-formed and without U+0000, and every number finite (1e999 parses to Infinity). */
function isPlain(json: unknown): boolean {
  if (typeof json === 'string') return json.isWellFormed() && !json.includes('\0')
  if (typeof json === 'number') return Number.isFinite(json)
  if (typeof json !== 'object' || json === null) return true
  if (Array.isArray(json)) return json.every(isPlain)
  for (const [name, value] of Object.entries(json)) if (!isPlain(name) || !isPlain(value)) return false
  return true
}
