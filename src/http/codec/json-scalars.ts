/** Reads single JSON values: the accepted forms of each protobuf scalar, and the messages for invalid ones. */
import { ScalarType } from '@bufbuild/protobuf'
import type { FieldPath } from './field-path.ts'

/** Reads one value. Records an invalid one at its field path; the result is then meaningless. */
export type ReadValue = (json: unknown, fieldPath: FieldPath) => unknown

const readString: ReadValue = (json, fieldPath) => {
  if (typeof json !== 'string') return fieldPath.wrong('must be a string')
  if (!json.isWellFormed()) return fieldPath.wrong('must be well-formed Unicode text')
  // PostgreSQL cannot store U+0000 in text, so all content types refuse it.
  if (json.includes('\0')) return fieldPath.wrong('must not contain the character U+0000')
  return json
}

const readBool: ReadValue = (json, fieldPath) =>
  typeof json === 'boolean' ? json : fieldPath.wrong('must be true or false')

const NUMBER_TEXT = /^-?\d+(\.\d+)?([eE][+-]?\d{1,4})?$/

function numberOf(json: unknown): number | undefined {
  if (typeof json === 'number') return json
  return typeof json === 'string' && json.length < 64 && NUMBER_TEXT.test(json) ? Number(json) : undefined
}

function integerReader(lowest: number, highest: number): ReadValue {
  return (json, fieldPath) => {
    const value = numberOf(json)
    if (value === undefined || !Number.isInteger(value)) return fieldPath.wrong('must be an integer')
    if (value < lowest || value > highest) return fieldPath.wrong(`must be between ${lowest} and ${highest}`)
    return value + 0
  }
}

function longReader(lowest: bigint, highest: bigint, asString: boolean): ReadValue {
  const check = (value: bigint, fieldPath: FieldPath) => {
    if (value < lowest || value > highest) return fieldPath.wrong(`must be between ${lowest} and ${highest}`)
    return asString ? String(value) : value
  }
  return (json, fieldPath) => {
    if (typeof json === 'string' && /^-?\d{1,20}$/.test(json)) return check(BigInt(json), fieldPath)
    if (typeof json !== 'number' || !Number.isInteger(json))
      return fieldPath.wrong('must be an integer, written as a string')
    // JSON.parse has already rounded larger numbers, so the value is not the one that was sent.
    if (!Number.isSafeInteger(json)) return fieldPath.wrong('must be a string because it is greater than 2^53 - 1')
    return check(BigInt(json), fieldPath)
  }
}

const FLOAT_MAX = 3.4028234663852886e38
const SPECIAL: ReadonlyMap<unknown, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
])

function floatReader(highest: number): ReadValue {
  return (json, fieldPath) => {
    const special = SPECIAL.get(json)
    if (special !== undefined) return special
    const value = numberOf(json)
    if (value === undefined) return fieldPath.wrong('must be a number')
    return Math.abs(value) <= highest ? value : fieldPath.wrong('is out of range')
  }
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** Decodes base64 text of both alphabets, padded or not; undefined when it is invalid. */
export function decodeBase64(text: string): Buffer | undefined {
  if (!BASE64.test(text)) return undefined
  const digits = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length
  const isPadded = digits < text.length
  return digits % 4 === 1 || (isPadded && text.length % 4 !== 0) ? undefined : Buffer.from(text, 'base64')
}

const readBytes: ReadValue = (json, fieldPath) => {
  const bytes = typeof json === 'string' ? decodeBase64(json) : undefined
  if (bytes === undefined) return fieldPath.wrong('must be base64 text')
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The reader of a scalar type; `longAsString` for 64-bit fields that the generated code represents as text. */
export function scalarReader(type: ScalarType, longAsString = false): ReadValue {
  switch (type) {
    case ScalarType.STRING:
      return readString
    case ScalarType.BOOL:
      return readBool
    case ScalarType.BYTES:
      return readBytes
    case ScalarType.DOUBLE:
      return floatReader(Number.MAX_VALUE)
    case ScalarType.FLOAT:
      return floatReader(FLOAT_MAX)
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return integerReader(-(2 ** 31), 2 ** 31 - 1)
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return integerReader(0, 2 ** 32 - 1)
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return longReader(-(2n ** 63n), 2n ** 63n - 1n, longAsString)
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return longReader(0n, 2n ** 64n - 1n, longAsString)
  }
}
