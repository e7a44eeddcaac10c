/** Requests that are valid but for one place: what must be there is filled in from the descriptor, with fresh values. */
import type { DescMessage, JsonObject, JsonValue } from '@bufbuild/protobuf'
import { type ExampleValues, leastOf as least } from '../../src/http/openapi/example-requests.ts'
import type { Step } from './limit-cases.ts'

let count = 0

/** A character outside of the first plane: lengths count it once, UTF-16 would count it twice. */
const WIDE = '\u{10400}'

/** A new text of exactly this many characters; one character alone is a new one each time. */
export function newText(length: number): string {
  const tail = length === 1 ? String.fromCodePoint(0x4e00 + ++count) : String(++count)
  return length <= tail.length ? tail.slice(-length) : WIDE.repeat(length - tail.length) + tail
}

/** An object whose compact JSON text has exactly this many characters. */
export function newObject(length: number): JsonObject {
  const empty = JSON.stringify({ x: WIDE })
  return { x: WIDE + 'y'.repeat(Math.max(0, length - [...empty].length)) }
}

/** A new e-mail address of exactly this length: no part of it may be longer than the standard allows. */
function newAddress(length: number): string {
  const local = `a${++count}`
  const labels: string[] = []
  for (let rest = length - local.length - 1; rest > 0; ) {
    // One character alone would leave no room for the dot before it.
    const size = rest <= 63 ? rest : Math.min(63, rest - 2)
    labels.push('d'.repeat(size))
    rest -= size + 1
  }
  return `${local}@${labels.join('.')}`
}

function padded(start: string, fill: string, end = '') {
  return (length: number): string => start + fill.repeat(Math.max(0, length - start.length - end.length)) + end
}

const LANGUAGES = ['', '', 'de', 'deu', '', 'de-CH', 'deu-CH', 'zh-Hant', '', '', 'zh-Hant-TW']

/** Values of a given length for fields that do not take just any text, by the name of the field. */
const MAKERS: ReadonlyMap<string, (length: number) => string> = new Map([
  ['email', newAddress],
  ['senderAddress', newAddress],
  ['replyToAddress', newAddress],
  ['preferredLanguage', (length: number) => LANGUAGES[length] ?? 'x'.repeat(length)],
  ['urlTemplate', padded('https://login.example.com/verify?u={{.UserID}}&c={{.Code}}&x=', 'y')],
  ['phone', padded('+41 79 123 45 6', '-', '7')],
  ['host', padded('', 'h', ':25')],
  ['issuer', padded('https://login.example.com/', 'x')],
  ['password', padded('correct horse battery staple', 'x')],
  ['totpSecret', padded('', 'A')],
  ['hash', padded('$pbkdf2-sha512$10000$', 'A', `$${'A'.repeat(86)}`)],
])

/** Whether a field takes any text. */
export function takesAnything(field: string): boolean {
  return !MAKERS.has(field)
}

/** A value of this length for a field. */
export function newValue(field: string, length: number): string {
  return (MAKERS.get(field) ?? newText)(length)
}

/** New values for everything. */
export const FRESH: ExampleValues = { text: newValue, object: newObject }

/** The least that a message must contain. */
export function leastOf(message: DescMessage): JsonObject {
  return least(message, FRESH)
}

/** A request with this value at the end of the steps (undefined: nothing); the rest is the least, and of a oneof only this. */
export function requestWith(input: DescMessage, steps: readonly Step[], value: JsonValue | undefined): JsonObject {
  const whole = leastOf(input) as Record<string, JsonValue>
  let place = whole
  for (const [index, { field, isItem }] of steps.entries()) {
    for (const other of field.oneof?.fields ?? []) delete place[other.jsonName]
    if (index === steps.length - 1) {
      if (value === undefined) delete place[field.jsonName]
      else place[field.jsonName] = value
    } else if (field.message !== undefined) {
      const inner = { ...leastOf(field.message) } as Record<string, JsonValue>
      place[field.jsonName] = isItem ? [inner] : inner
      place = inner
    }
  }
  return whole
}
