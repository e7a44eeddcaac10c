/** Reads request fields from the URL: path parameters and the query. */
import { create, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { fieldOf } from '../codec/field-names.ts'
import type { FieldPath } from '../codec/field-path.ts'
import { type Draft, fieldReader } from '../codec/json-reader.ts'

/** Sets a field of a message to the texts of one parameter. */
export type SetParameter = (draft: Draft, texts: readonly string[], fieldPath: FieldPath) => void

/** Types whose JSON form is a single text or number. */
const TEXTUAL = /^google\.protobuf\.(Timestamp|Duration|FieldMask|[A-Za-z0-9]+Value)$/
const STRUCTURED = new Set(['google.protobuf.Value', 'google.protobuf.ListValue', 'google.protobuf.NullValue'])

function isTextual({ typeName }: DescMessage) {
  return TEXTUAL.test(typeName) && !STRUCTURED.has(typeName)
}

/** The fields that a dotted path names, outermost first; undefined when it names none that a URL can contain. */
function fieldsOf(schema: DescMessage, path: string): readonly DescField[] | undefined {
  const fields: DescField[] = []
  let inside: DescMessage | undefined = schema
  for (const name of path.split('.')) {
    const field: DescField | undefined = inside && fieldOf(inside, name)
    if (field === undefined) return undefined
    fields.push(field)
    inside = field.fieldKind === 'message' && !isTextual(field.message) ? field.message : undefined
  }
  const leaf = fields.at(-1)
  const isCarried = leaf?.fieldKind !== 'map' && (leaf?.message === undefined || isTextual(leaf.message))
  return isCarried ? fields : undefined
}

/** Converts text to the JSON value that the reader of the field expects. Readers also accept numbers as text. */
function jsonOf(field: DescField, text: string): unknown {
  const isBoolean = field.scalar === ScalarType.BOOL || field.message?.typeName === 'google.protobuf.BoolValue'
  if (isBoolean && (text === 'true' || text === 'false')) return text === 'true'
  if (field.enum !== undefined && /^-?\d{1,10}$/.test(text)) return Number(text)
  return text
}

/**
 * The setter of a parameter; undefined when there is no such field. With `mayReplace` it overrides the body; without, a
 * second member of a oneof is refused.
 */
export function parameterSetter(schema: DescMessage, path: string, mayReplace: boolean): SetParameter | undefined {
  const fields = fieldsOf(schema, path)
  const leaf = fields?.at(-1)
  if (fields === undefined || leaf === undefined) return undefined
  const read = fieldReader(leaf)
  return (draft, texts, fieldPath) => {
    fieldPath.enter(fields.map(({ jsonName }) => jsonName).join('.'))
    const holder = fields.slice(0, -1).reduce((at, field) => inner(at, field, mayReplace, fieldPath), draft)
    checkOneof(holder, leaf, mayReplace, fieldPath)
    if (leaf.fieldKind === 'list') {
      read(
        holder,
        texts.map((text) => jsonOf(leaf, text)),
        fieldPath,
      )
    } else if (texts.length === 1 && texts[0] !== undefined) {
      read(holder, jsonOf(leaf, texts[0]), fieldPath)
    } else fieldPath.wrong('is given more than once')
    fieldPath.leave()
  }
}

/** Returns a nested message and creates it if it is missing. */
function inner(draft: Draft, field: DescField, mayReplace: boolean, fieldPath: FieldPath): Draft {
  checkOneof(draft, field, mayReplace, fieldPath)
  const fresh = () => create(field.message as DescMessage) as unknown as Draft
  if (field.oneof === undefined) {
    draft[field.localName] ??= fresh()
    return draft[field.localName] as Draft
  }
  const chosen = draft[field.oneof.localName] as { case?: string; value?: unknown }
  if (chosen.case === field.localName) return chosen.value as Draft
  const value = fresh()
  draft[field.oneof.localName] = { case: field.localName, value }
  return value
}

function checkOneof(draft: Draft, field: DescField, mayReplace: boolean, fieldPath: FieldPath): void {
  if (field.oneof === undefined || mayReplace) return
  const chosen = (draft[field.oneof.localName] as { readonly case?: string }).case
  if (chosen !== undefined && chosen !== field.localName) {
    const other = field.oneof.fields.find(({ localName }) => localName === chosen)
    fieldPath.wrong(`cannot be given together with ${other?.jsonName}`)
  }
}

/** Sets the query parameters of a URL in a message. Unknown names are ignored. */
export function readQuery(schema: DescMessage, query: string, draft: Draft, fieldPath: FieldPath): void {
  const parameters = new URLSearchParams(query)
  for (const name of new Set(parameters.keys())) {
    const set = parameterSetter(schema, name, false)
    if (set === undefined) fieldPath.unknown(name)
    else set(draft, parameters.getAll(name), fieldPath)
  }
}
