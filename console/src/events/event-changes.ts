/** The fields that an event sets, with what they were before: what the last earlier event of the object says of each. */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'

export interface Change {
  /** The members, with dots: `profile.displayName`. */
  readonly field: string
  /** Undefined: no earlier event says. */
  readonly before: string | undefined
  readonly after: string
}

const LONGEST = 500

function textOf(value: JsonValue): string {
  const text = Array.isArray(value)
    ? value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(', ')
    : value === null
      ? ''
      : String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text
}

function leavesOf(payload: JsonObject, start = ''): readonly (readonly [string, string])[] {
  return Object.entries(payload).flatMap(([name, value]) => {
    const field = `${start}${name}`
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value, `${field}.`)
      : [[field, textOf(value)] as const]
  })
}

/** The changes; `earlier` are the payloads of earlier events of the object, the newest first. */
export function changesOf(payload: JsonObject, earlier: readonly JsonObject[]): readonly Change[] {
  const known = new Map<string, string>()
  for (const one of earlier) for (const [field, text] of leavesOf(one)) if (!known.has(field)) known.set(field, text)
  return leavesOf(payload)
    .map(([field, after]) => ({ field, before: known.get(field), after }))
    .filter(({ before, after }) => before !== after)
}
