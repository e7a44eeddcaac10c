/** Changes valid messages in ways that a client could: other values, fields and ids in JSON, other bytes in binary. */
import { type DescField, type DescMessage, type JsonValue, ScalarType } from '@bufbuild/protobuf'

/** Random numbers that can be repeated from a seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * end)
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value
  }
}

const TEXTS = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '😀',
    '\ud800',
    '\uffff',
    'ß',
    'İ',
    'ﬁ',
    '\u202e',
    '\r\n',
    '%00',
    '..',
    '../..',
    '*',
    '%',
    '_',
    '\\',
  ],
  ...[
    "'",
    '"',
    "'; drop table events; --",
    '{{.Code}}',
    '{x}',
    '<script>',
    '__proto__',
    'constructor',
    'null',
    'undefined',
  ],
  ...[
    '0',
    '-1',
    '1e999',
    'NaN',
    'true',
    '9223372036854775808',
    '2026-01-31T12:00:00Z',
    '0000-00-00T00:00:00Z',
    '3s',
    '-3.5s',
  ],
  ...[
    'a@b',
    '@',
    'a@b@c',
    '"a b"@example.com',
    'ada@example.com',
    'ada@EXAMPLE.com',
    'a@[127.0.0.1]',
    '+41446681800',
    '+',
    '+999',
  ],
  ...[
    'http://',
    'https://127.0.0.1:1/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '//a',
    'http://[::1]:1',
    'https://a b/',
  ],
  ...[
    'en',
    'de-CH',
    'xx-xx-xx',
    'AAAA',
    'AA==',
    '////',
    '____',
    'eyJhbGciOiJub25lIn0.e30.',
    '$2y$31$x',
    '$argon2id$v=19$m=1',
  ],
  ...['IAM_OWNER', 'ORG_OWNER', 'role', '100000000000000000', '127.0.0.1:1', 'x'.repeat(201), 'ü'.repeat(5000)],
] as const

const NUMBERS = [0, 1, -1, 2, 100, 1000, 1001, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, 1.5, 1e300, -0] as const

/** A value for a place of which nothing is known. */
function anyValue(random: Random, ids: readonly string[]): JsonValue {
  switch (random.below(8)) {
    case 0:
      return random.pick(NUMBERS)
    case 1:
      return random.pick([true, false, null])
    case 2:
      return random.pick([[], {}, [[]], [null], { a: 1 }, [{}, {}]])
    case 3:
      return random.pick(ids)
    default:
      return random.pick(TEXTS)
  }
}

/** A value of the type of a field. */
function fieldValue(field: DescField, random: Random, ids: readonly string[], depth: number): JsonValue {
  if (random.below(10) === 0) return anyValue(random, ids)
  if (field.fieldKind === 'list') {
    const one = () => itemValue(field, random, ids, depth)
    return Array.from({ length: random.below(4) }, one)
  }
  if (field.fieldKind === 'map') return { [random.pick(TEXTS)]: anyValue(random, ids) }
  return itemValue(field, random, ids, depth)
}

function itemValue(field: DescField, random: Random, ids: readonly string[], depth: number): JsonValue {
  if (field.message !== undefined) return messageValue(field.message, random, ids, depth + 1)
  if (field.enum !== undefined) return random.pick([...field.enum.values.map(({ name }) => name), 99, -1, 'NONE'])
  if (field.scalar === ScalarType.STRING) {
    return /(^i|I)ds?$/.test(field.jsonName) && random.below(2) === 0 ? random.pick(ids) : random.pick(TEXTS)
  }
  if (field.scalar === ScalarType.BOOL) return random.below(2) === 0
  if (field.scalar === ScalarType.BYTES) return random.pick(['', 'AA==', 'AP8=', '!', 'e30=', 'e30'])
  return random.below(4) === 0 ? String(random.pick(NUMBERS)) : random.pick(NUMBERS)
}

/** A message with some of its fields. */
function messageValue(message: DescMessage, random: Random, ids: readonly string[], depth: number): JsonValue {
  if (message.typeName === 'google.protobuf.Timestamp')
    return random.pick(['2026-01-31T12:00:00Z', '9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', 'x'])
  if (message.typeName === 'google.protobuf.Duration')
    return random.pick(['3s', '-3s', '0s', '315576000000s', '0.000000001s', 'x'])
  const body: Record<string, JsonValue> = {}
  if (depth > 4) return body
  for (const field of message.fields) {
    if (random.below(3) === 0) body[field.jsonName] = fieldValue(field, random, ids, depth)
  }
  return body
}

/** Every object and list in a value, with the description of the objects where it is known. */
function placesIn(value: JsonValue, message: DescMessage | undefined, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found
  found.push({ value: value as Record<string, JsonValue>, message })
  for (const [name, inner] of Object.entries(value)) {
    const field = message?.fields.find(({ jsonName }) => jsonName === name)
    const of = Array.isArray(value) ? message : field?.message
    placesIn(inner as JsonValue, of, found)
  }
  return found
}

interface Place {
  readonly value: Record<string, JsonValue>
  readonly message: DescMessage | undefined
}

/** Changes a valid body in one to four places. */
export function mutateJson(body: string, input: DescMessage, random: Random, ids: readonly string[]): JsonValue {
  const whole = JSON.parse(body) as JsonValue
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const { value, message } = random.pick(placesIn(whole, input))
    const names = Object.keys(value)
    const field = message && message.fields.length > 0 ? random.pick(message.fields) : undefined
    const choice = random.below(10)
    if (choice < 5 && field !== undefined) value[field.jsonName] = fieldValue(field, random, ids, 0)
    else if (choice < 7 && names.length > 0) delete value[random.pick(names)]
    else if (choice < 9 && names.length > 0) value[random.pick(names)] = anyValue(random, ids)
    else value[random.pick(TEXTS)] = anyValue(random, ids)
  }
  return whole
}

/** Changes, removes, adds or repeats some bytes. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let changed = Buffer.from(bytes)
  for (let changes = random.below(6); changes > 0; changes--) {
    const at = random.below(changed.length + 1)
    const choice = random.below(5)
    if (choice === 0) changed = changed.subarray(0, at)
    else if (choice === 1)
      changed = Buffer.concat([changed.subarray(0, at), Buffer.from([random.below(256)]), changed.subarray(at)])
    else if (choice === 2) changed = Buffer.concat([changed, changed.subarray(at)])
    else if (changed.length > 0) changed[at % changed.length] = random.below(256)
  }
  return changed
}
