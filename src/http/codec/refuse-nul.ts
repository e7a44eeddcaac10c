/** Refuses U+0000 in texts. It is valid protobuf, but PostgreSQL cannot store it. */
import type { DescField, DescMessage, Message } from '@bufbuild/protobuf'
import { FieldPath } from './field-path.ts'

/** Throws, and names the fields, when a text in the message contains U+0000. */
export function refuseNul(schema: DescMessage, message: Message): void {
  const fieldPath = new FieldPath()
  visitMessage(schema, message, fieldPath)
  fieldPath.finish()
}

function visitMessage(schema: DescMessage, message: object, fieldPath: FieldPath): void {
  const draft = message as Readonly<Record<string, unknown>>
  for (const field of schema.fields) {
    if (field.oneof === undefined) visitField(field, draft[field.localName], fieldPath)
    else {
      const chosen = draft[field.oneof.localName] as { readonly case?: string; readonly value?: unknown }
      if (chosen.case === field.localName) visitField(field, chosen.value, fieldPath)
    }
  }
}

function visitField(field: DescField, value: unknown, fieldPath: FieldPath): void {
  if (value === undefined || value instanceof Uint8Array) return
  fieldPath.enter(field.jsonName)
  if (field.fieldKind === 'list') {
    for (const [index, item] of (value as readonly unknown[]).entries()) visitItem(field, item, index, fieldPath)
  } else if (field.fieldKind === 'map') {
    for (const [key, item] of Object.entries(value as object)) {
      if (key.includes('\0')) fieldPath.wrong('must not have keys with the character U+0000')
      visitItem(field, item, key, fieldPath)
    }
  } else visitValue(field, value, fieldPath)
  fieldPath.leave()
}

function visitItem(field: DescField, item: unknown, step: string | number, fieldPath: FieldPath): void {
  fieldPath.enter(step)
  visitValue(field, item, fieldPath)
  fieldPath.leave()
}

function visitValue(field: DescField, value: unknown, fieldPath: FieldPath): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) fieldPath.wrong('must not contain the character U+0000')
  } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    if ('$typeName' in value && field.message !== undefined) visitMessage(field.message, value, fieldPath)
    // A Struct is stored as plain JSON, which escapes the character.
    else if (JSON.stringify(value).includes('\\u0000')) fieldPath.wrong('must not contain the character U+0000')
  }
}
