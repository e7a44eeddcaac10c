/** Checks the limits of the contract on a whole message, including nested messages. */
import { type DescField, type DescMessage, type DescOneof, hasOption, type Message } from '@bufbuild/protobuf'
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt'
import { field as fieldRules, oneof as oneofRules } from '../../../contract/gen/buf/validate/validate_pb.ts'
import { json_length } from '../../../contract/gen/signet/v1/options_pb.ts'
import { messageOption } from '../../access/message-option.ts'
import type { Violation } from '../../kernel/refusal.ts'
import { invalidFields } from '../protocols/errors.ts'
import { isNonZero, isTooLarge, jsonLengthRule, type Rule, rulesOfItems, rulesOfKeys, rulesOfValue } from './rules.ts'

/** Reports the violations of a message; `path` is the prefix of its field names. */
type Check = (message: Readonly<Record<string, unknown>>, path: string, found: Violation[]) => void

const REQUIRED = 'value is required'

/** Compiled once for each type, because types are used in many messages and can be recursive. */
const compiled = new WeakMap<DescMessage, readonly Check[]>()

function checksOf(schema: DescMessage): readonly Check[] {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const checks: Check[] = []
  compiled.set(schema, checks)
  checks.push(...schema.oneofs.flatMap(oneofCheck), ...schema.fields.flatMap(fieldCheck))
  return checks
}

function oneofCheck(oneof: DescOneof): readonly Check[] {
  if (!messageOption(oneof, oneofRules)?.required) return []
  const { localName } = oneof
  return [
    (message, path, found) => {
      if ((message[localName] as { case?: string }).case === undefined) {
        found.push({ field: path + localName, description: 'exactly one field is required in oneof' })
      }
    },
  ]
}

/** Reads the value of a field; undefined when the field is not set. */
function taker({ oneof, localName }: DescField): (message: Readonly<Record<string, unknown>>) => unknown {
  if (oneof === undefined) return (message) => message[localName]
  return (message) => {
    const chosen = message[oneof.localName] as { case?: string; value?: unknown }
    return chosen.case === localName ? chosen.value : undefined
  }
}

/** The checks of a value: its own rules, then those of the messages in it. */
function contentCheck(field: DescField): ((value: unknown, path: string, found: Violation[]) => void) | undefined {
  const rules = messageOption(field, fieldRules)
  const own = rules === undefined ? [] : [...rulesOfValue(rules, field)]
  const items = rules === undefined ? [] : rulesOfItems(rules, field)
  const keys = rules === undefined ? [] : rulesOfKeys(rules, field)
  const length = messageOption(field, json_length)
  if (length !== undefined) own.push(jsonLengthRule(length))
  const { message } = field
  const [isList, isMap] = [field.fieldKind === 'list', field.fieldKind === 'map']
  const holdsMessages = message !== undefined && hasLimits(message)
  if (own.length + items.length + keys.length === 0 && !holdsMessages) return undefined
  return (value, path, found) => {
    apply(own, value, path, found)
    if (isList && (items.length > 0 || holdsMessages)) {
      for (const [index, item] of (value as readonly unknown[]).entries()) {
        // The item could not be read, which is already reported.
        if (item === undefined) continue
        const place = `${path}[${index}]`
        apply(items, item, place, found)
        if (holdsMessages) inspect(message, item, `${place}.`, found)
      }
    } else if (isMap && (keys.length + items.length > 0 || holdsMessages)) {
      for (const [key, item] of Object.entries(value as object)) {
        const place = `${path}.${key}`
        apply(keys, key, place, found)
        if (item === undefined) continue
        apply(items, item, place, found)
        if (holdsMessages) inspect(message, item, `${place}.`, found)
      }
    } else if (holdsMessages) inspect(message, value, `${path}.`, found)
  }
}

function apply(rules: readonly Rule[], value: unknown, field: string, found: Violation[]): void {
  for (const rule of rules) {
    const description = rule(value)
    if (description !== undefined) found.push({ field, description })
  }
}

function fieldCheck(field: DescField): readonly Check[] {
  const isRequired = messageOption(field, fieldRules)?.required === true
  const check = contentCheck(field)
  if (!isRequired && check === undefined) return []
  const take = taker(field)
  const hasPresence = field.presence !== FeatureSet_FieldPresence.IMPLICIT
  const isGiven = hasPresence ? (value: unknown) => value !== undefined : isNonZero(field)
  return [
    (message, path, found) => {
      const value = take(message)
      if (isRequired && (value === undefined || !isGiven(value)))
        found.push({ field: path + field.jsonName, description: REQUIRED })
      // Without presence, an empty value equals an absent one, so the rules apply to it too.
      else if (value !== undefined) check?.(value, path + field.jsonName, found)
    },
  ]
}

/** Whether a type, or a type in it, has any rule. Recursive types are visited once. */
function hasLimits(schema: DescMessage, seen = new Set<DescMessage>()): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  return (
    schema.oneofs.some((oneof) => hasOption(oneof, oneofRules)) ||
    schema.fields.some(
      (field) =>
        hasOption(field, fieldRules) ||
        hasOption(field, json_length) ||
        (field.message !== undefined && hasLimits(field.message, seen)),
    )
  )
}

function inspect(schema: DescMessage, message: unknown, path: string, found: Violation[]): void {
  for (const check of checksOf(schema)) check(message as Readonly<Record<string, unknown>>, path, found)
}

/** Every limit of the contract that a message breaks. */
export function brokenLimits(schema: DescMessage, message: Message): readonly Violation[] {
  const found: Violation[] = []
  inspect(schema, message, '', found)
  return found
}

/**
 * The check of a message type. Throws `request.invalid` with all violations: those of the contract and, unless a value is
 * too large, what `others` finds in the remaining fields.
 */
export function limitsOf(
  schema: DescMessage,
  others: (message: Message) => readonly Violation[] = () => [],
): (message: Message) => void {
  // Compiled at the first request. Compiling all messages at the start would take time, and most are never used.
  return (message) => {
    const found = brokenLimits(schema, message)
    if (found.length === 0) return
    // Rules of the server are made for values within the limits: on longer texts some would take seconds.
    if (found.some(({ description }) => isTooLarge(description))) throw invalidFields(found)
    const isKnown = (field: string) => found.some((one) => field === one.field || field.startsWith(`${one.field}.`))
    throw invalidFields([...found, ...others(message).filter(({ field }) => !isKnown(field))])
  }
}
