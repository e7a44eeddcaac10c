/** Protobuf bytes to message, compiled once per message type; fields under a declared other number are put where they belong. */
import {
  type DescField,
  type DescMessage,
  fromBinary,
  isFieldSet,
  type Message,
  mergeFromBinary,
} from '@bufbuild/protobuf'
import { BinaryWriter } from '@bufbuild/protobuf/wire'
import { malformed } from '../protocols/errors.ts'
import { checkElements } from './elements.ts'
import { aliasesOf } from './field-names.ts'
import { FieldPath, GIVEN_TWICE } from './field-path.ts'
import { refuseNul } from './refuse-nul.ts'

/** Puts the aliased fields of one message, and of those inside it, where they belong; notes what is there twice. */
type Rewrite = (message: Message, fieldPath: FieldPath) => void

/** The reader of a message type. Throws when the bytes are not such a message. */
export function binaryReader(schema: DescMessage): (bytes: Uint8Array) => Message {
  const rewrite = rewriter(schema)
  // Unknown fields are ignored. They are kept only if an alias can be among them.
  const options = { readUnknownFields: rewrite !== undefined, recursionLimit: 100 }
  return (bytes) => {
    checkElements(schema, bytes)
    let message: Message
    const fieldPath = new FieldPath()
    try {
      message = fromBinary(schema, bytes, options)
      rewrite?.(message, fieldPath)
    } catch {
      throw malformed(`The body is not a valid message of type ${schema.typeName}.`)
    }
    fieldPath.finish()
    // A U+0000 in a text is a zero byte in the bytes; most messages have none, and then there is nothing to look for.
    if (bytes.includes(0)) refuseNul(schema, message)
    return message
  }
}

/** The rewriter of a type; undefined when no type that it can contain declares an alternative number. */
function rewriter(schema: DescMessage): Rewrite | undefined {
  return reachable(schema).some((type) => aliasedFields(type).size > 0) ? rewriteInto(schema, new Map()) : undefined
}

function rewriteInto(schema: DescMessage, compiled: Map<DescMessage, Rewrite>): Rewrite {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const fields = aliasedFields(schema)
  const inner: { readonly field: DescField; readonly rewrite: Rewrite }[] = []
  const rewrite: Rewrite = (message, fieldPath) => {
    if (message.$unknown !== undefined) {
      const given = new Set(
        [...fields.values()].map(({ field }) => field).filter((field) => isFieldSet(message, field)),
      )
      for (const { no, wireType, data } of message.$unknown) {
        const { field, yields } = fields.get(no) ?? {}
        if (field === undefined || (yields === true && given.has(field))) continue
        if (given.has(field)) notGivenOnce(field, fieldPath)
        mergeFromBinary(schema, message, new BinaryWriter().tag(field.number, wireType).raw(data).finish())
      }
      delete message.$unknown
    }
    for (const { field, rewrite } of inner) forEachInside(message, field, rewrite, fieldPath)
  }
  compiled.set(schema, rewrite)
  for (const field of schema.fields) {
    if (field.message !== undefined) inner.push({ field, rewrite: rewriteInto(field.message, compiled) })
  }
  return rewrite
}

/** The old and the new name of a field at once are refused, as in JSON. */
function notGivenOnce(field: DescField, fieldPath: FieldPath): void {
  fieldPath.enter(field.jsonName)
  fieldPath.wrong(GIVEN_TWICE)
  fieldPath.leave()
}

function forEachInside(message: Message, field: DescField, visit: Rewrite, fieldPath: FieldPath): void {
  const draft = message as unknown as Readonly<Record<string, unknown>>
  const oneof =
    field.oneof === undefined ? undefined : (draft[field.oneof.localName] as { case?: string; value?: unknown })
  const value = oneof === undefined ? draft[field.localName] : oneof.case === field.localName ? oneof.value : undefined
  if (typeof value !== 'object' || value === null) return
  // Wrappers and Structs are kept as plain values, which have no fields to rewrite.
  const isOne = field.fieldKind === 'message'
  const items = isOne ? [['', value] as const] : Object.entries(value)
  fieldPath.enter(field.jsonName)
  for (const [key, item] of items) {
    if (typeof item !== 'object' || item === null || !('$typeName' in item)) continue
    if (!isOne) fieldPath.enter(field.fieldKind === 'list' ? Number(key) : key)
    visit(item as Message, fieldPath)
    if (!isOne) fieldPath.leave()
  }
  fieldPath.leave()
}

/** The fields that have another number, by that number. */
function aliasedFields(
  schema: DescMessage,
): ReadonlyMap<number, { readonly field: DescField; readonly yields: boolean }> {
  return new Map(
    schema.fields.flatMap((field) =>
      aliasesOf(field)
        .filter(({ number }) => number > 0)
        .map(({ number, yields }) => [number, { field, yields }] as const),
    ),
  )
}

/** A message type and all types that it can contain. */
function reachable(schema: DescMessage): readonly DescMessage[] {
  const found = new Set([schema])
  for (const type of found) {
    for (const { message } of type.fields) if (message !== undefined) found.add(message)
  }
  return [...found]
}
