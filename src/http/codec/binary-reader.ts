/**
 * Reads protobuf bytes into messages. Readers are compiled once for each message type, and accept alternative field
 * numbers.
 */
import { type DescField, type DescMessage, fromBinary, type Message, mergeFromBinary } from '@bufbuild/protobuf'
import { BinaryWriter } from '@bufbuild/protobuf/wire'
import { malformed } from '../protocols/errors.ts'
import { checkElements } from './elements.ts'
import { aliasesOf } from './field-names.ts'
import { refuseNul } from './refuse-nul.ts'

/** Moves the aliased fields of a message, and of the messages in it, to their fields. */
type Rewrite = (message: Message) => void

/** The reader of a message type. Throws when the bytes are not such a message. */
export function binaryReader(schema: DescMessage): (bytes: Uint8Array) => Message {
  const rewrite = rewriter(schema)
  // Unknown fields are ignored. They are kept only if an alias can be among them.
  const options = { readUnknownFields: rewrite !== undefined, recursionLimit: 100 }
  return (bytes) => {
    checkElements(schema, bytes)
    let message: Message
    try {
      message = fromBinary(schema, bytes, options)
      rewrite?.(message)
    } catch {
      throw malformed(`The body is not a valid message of type ${schema.typeName}.`)
    }
    // U+0000 is a zero byte in the message. Most messages contain none and need no further check.
    if (bytes.includes(0)) refuseNul(schema, message)
    return message
  }
}

/** The rewriter of a type; undefined when no type that it can contain declares an alternative number. */
function rewriter(schema: DescMessage): Rewrite | undefined {
  return reachable(schema).some((type) => numbersOf(type).size > 0) ? rewriteInto(schema, new Map()) : undefined
}

function rewriteInto(schema: DescMessage, compiled: Map<DescMessage, Rewrite>): Rewrite {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const numbers = numbersOf(schema)
  const inner: { readonly field: DescField; readonly rewrite: Rewrite }[] = []
  const rewrite: Rewrite = (message) => {
    if (message.$unknown !== undefined) {
      for (const { no, wireType, data } of message.$unknown) {
        const number = numbers.get(no)
        if (number === undefined) continue
        mergeFromBinary(schema, message, new BinaryWriter().tag(number, wireType).raw(data).finish())
      }
      delete message.$unknown
    }
    for (const { field, rewrite } of inner) forEachInside(message, field, rewrite)
  }
  compiled.set(schema, rewrite)
  for (const field of schema.fields) {
    if (field.message !== undefined) inner.push({ field, rewrite: rewriteInto(field.message, compiled) })
  }
  return rewrite
}

function forEachInside(message: Message, field: DescField, visit: Rewrite): void {
  const draft = message as unknown as Readonly<Record<string, unknown>>
  const oneof =
    field.oneof === undefined ? undefined : (draft[field.oneof.localName] as { case?: string; value?: unknown })
  const value = oneof === undefined ? draft[field.localName] : oneof.case === field.localName ? oneof.value : undefined
  if (typeof value !== 'object' || value === null) return
  // Wrappers and Structs are kept as plain values, which have no fields to rewrite.
  const items = field.fieldKind === 'message' ? [value] : Object.values(value)
  for (const item of items) if (typeof item === 'object' && item !== null && '$typeName' in item) visit(item as Message)
}

function numbersOf(schema: DescMessage): ReadonlyMap<number, number> {
  return new Map(
    schema.fields.flatMap((field) =>
      aliasesOf(field)
        .filter(({ number }) => number > 0)
        .map(({ number }) => [number, field.number] as const),
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
