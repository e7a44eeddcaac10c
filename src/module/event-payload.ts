/** What of a stored value may be shown: everything except secrets and the contents of files. */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { Document } from '../store/index.ts'

/**
 * All secrets, encrypted or hashed, have the first name; the contents of uploaded files the second. The others are what
 * events of sign-ins held before their secrets were under the first.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['secret', 'bytes', 'payload', 'nonce', 'relayState'])

function withoutSecrets(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, member]) => [name, withoutSecrets(member)]),
  )
}

/** The data of an event or the state of a document without secrets and contents of files, at any depth. */
export function payloadOf(data: unknown): JsonObject {
  const payload = withoutSecrets(data as JsonValue)
  return typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? payload : {}
}

/** A document as programs outside get it: its state without secrets, and when it was created and changed. */
export function shownDocument({ id, state, createdAt, changedAt }: Document<unknown>): JsonObject {
  const time = (at: number) => new Date(at).toISOString()
  return { id, createdAt: time(createdAt), changedAt: time(changedAt), ...payloadOf(state) }
}

/** The paths of what `payloadOf` leaves out. */
export function heldBackOf(data: unknown, start = ''): readonly string[] {
  if (typeof data !== 'object' || data === null) return []
  if (Array.isArray(data)) return data.flatMap((item, at) => heldBackOf(item, `${start}[${at}]`))
  const before = start === '' ? '' : `${start}.`
  return Object.entries(data).flatMap(([name, member]) =>
    LEFT_OUT.has(name) ? [`${before}${name}`] : heldBackOf(member, `${before}${name}`),
  )
}
