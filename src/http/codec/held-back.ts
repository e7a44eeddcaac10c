/**
 * Messages without the fields that the contract marks as secret (`debug_redact`), for receivers outside of this server, and
 * the way back: a message that such a receiver sends instead gets the secrets that it was not shown.
 */
import { clone, type DescField, type DescMessage, type Message } from '@bufbuild/protobuf'
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect'
import { knownName } from './field-names.ts'

/** Whether the contract marks a field as secret. */
function isSecretField(field: DescField): boolean {
  return field.proto.options?.debugRedact === true
}

/** How to get from a message to one inside it. */
interface Step {
  readonly field: DescField
  /** The index in a list or the key in a map. */
  readonly at?: number | string
  /** How many items the list had: in one of another length, an index means something else. */
  readonly length?: number
}

interface HeldValue {
  readonly steps: readonly Step[]
  readonly field: DescField
  readonly value: unknown
}

export interface HeldBack {
  /** Without secrets; the message itself when it has none. */
  readonly shown: Message
  /** The paths of what is not in it. */
  readonly paths: readonly string[]
  readonly values: readonly HeldValue[]
}

const withSecrets = new WeakMap<DescMessage, boolean>()

/** Whether a message of this type can contain a secret. */
function canHoldSecrets(desc: DescMessage, outer: readonly DescMessage[] = []): boolean {
  const known = withSecrets.get(desc)
  if (known !== undefined) return known
  if (outer.includes(desc)) return false
  const inside = [...outer, desc]
  const can = desc.fields.some(
    (field) => isSecretField(field) || (field.message !== undefined && canHoldSecrets(field.message, inside)),
  )
  // What was left out of a circle is only known at its start.
  if (can || outer.length === 0) withSecrets.set(desc, can)
  return can
}

function innerMessages(
  reflected: ReflectMessage,
  field: DescField,
): readonly (readonly [Step, ReflectMessage, path: string])[] {
  const name = knownName(field)
  if (field.fieldKind === 'message') return [[{ field }, reflected.get(field), name]]
  if (field.fieldKind === 'list' && field.listKind === 'message') {
    const items = [...reflected.get(field)] as ReflectMessage[]
    return items.map((item, at) => [{ field, at, length: items.length }, item, `${name}[${at}]`])
  }
  if (field.fieldKind === 'map' && field.mapKind === 'message') {
    const entries = [...reflected.get(field)] as [string | number, ReflectMessage][]
    return entries.map(([at, item]) => [{ field, at }, item, `${name}[${at}]`])
  }
  return []
}

/** Takes the secrets out of a message, all the way down. */
function takeOut(reflected: ReflectMessage, steps: readonly Step[], start: string, held: [string, HeldValue][]): void {
  for (const field of reflected.fields) {
    if (!reflected.isSet(field)) continue
    if (isSecretField(field)) {
      held.push([`${start}${knownName(field)}`, { steps, field, value: reflected.get(field) }])
      reflected.clear(field)
      continue
    }
    for (const [step, inner, path] of innerMessages(reflected, field)) {
      takeOut(inner, [...steps, step], `${start}${path}.`, held)
    }
  }
}

/** A message without its secrets. */
export function holdBack(desc: DescMessage, message: Message): HeldBack {
  if (!canHoldSecrets(desc)) return { shown: message, paths: [], values: [] }
  const shown = clone(desc, message)
  const held: [string, HeldValue][] = []
  takeOut(reflect(desc, shown), [], '', held)
  return { shown, paths: held.map(([path]) => path), values: held.map(([, value]) => value) }
}

function follow(reflected: ReflectMessage | undefined, { field, at, length }: Step): ReflectMessage | undefined {
  if (reflected === undefined || !reflected.isSet(field)) return undefined
  if (field.fieldKind === 'message') return reflected.get(field)
  if (field.fieldKind === 'list' && typeof at === 'number') {
    const list = reflected.get(field)
    return list.size === length ? (list.get(at) as ReflectMessage | undefined) : undefined
  }
  return field.fieldKind === 'map' && at !== undefined
    ? (reflected.get(field).get(at) as ReflectMessage | undefined)
    : undefined
}

/** Puts back what a receiver was not shown, where its message still has a place for it and no value of its own. */
export function putBack(desc: DescMessage, message: Message, values: readonly HeldValue[]): void {
  for (const { steps, field, value } of values) {
    let place: ReflectMessage | undefined = reflect(desc, message)
    for (const step of steps) place = follow(place, step)
    if (place === undefined || place.isSet(field)) continue
    // The receiver chose another alternative.
    if (field.oneof !== undefined && place.oneofCase(field.oneof) !== undefined) continue
    place.set(field, value)
  }
}
