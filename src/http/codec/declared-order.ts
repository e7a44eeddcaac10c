/** The JSON of a message with its members in the order of the contract and as existing clients know them; maps are sorted by key. */
import { type DescField, type DescMessage, type JsonValue, type Message, toJson } from '@bufbuild/protobuf'
import { knownName } from './field-names.ts'

type JsonObject = { readonly [name: string]: JsonValue }

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] as JsonValue)]))
}

function orderField(field: DescField, value: JsonValue): JsonValue {
  if (field.message === undefined) return field.fieldKind === 'map' ? sorted(value) : value
  const desc = field.message
  if (field.fieldKind === 'list' && Array.isArray(value)) return value.map((item) => order(desc, item))
  if (field.fieldKind !== 'map' || !isObject(value)) return order(desc, value)
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, order(desc, value[name] as JsonValue)]))
}

function order(desc: DescMessage, json: JsonValue): JsonValue {
  if (!isObject(json)) return json
  // Their JSON is not that of their fields.
  if (desc.typeName.startsWith('google.protobuf.')) return sorted(json)
  const members: [string, JsonValue][] = []
  for (const field of desc.fields) {
    const value = json[field.jsonName]
    if (value !== undefined) members.push([knownName(field), orderField(field, value)])
  }
  return Object.fromEntries(members)
}

/** A message as JSON; members with their default values are left out. */
export function declaredJson(desc: DescMessage, message: Message): JsonValue {
  return order(desc, toJson(desc, message))
}
