/**
 * How many elements a message may have: fields, members and items together. A few bytes make an element and an element
 * costs a hundred bytes and more of memory, so the size of a body alone does not bound what parsing it costs.
 */
import { type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { malformed } from '../protocols/errors.ts'
import { work } from '../work.ts'

/** Far more than any request of the contract needs; every element takes at least one byte. */
export const MAX_ELEMENTS = 65_536

/** The refusal of a body with too many of them. */
export function tooManyElements() {
  return malformed(`The body has more than ${MAX_ELEMENTS} elements.`)
}

/** Throws when protobuf bytes hold more elements than allowed. What is malformed is left to the parser. */
export function checkElements(schema: DescMessage, bytes: Uint8Array): void {
  if (bytes.length <= MAX_ELEMENTS) {
    work.elements += bytes.length
    return
  }
  const scan = new ElementScan(bytes)
  scan.message(schema, bytes.length, 0)
  work.elements += scan.count
}

const MAX_DEPTH = 100

const VARINT = 0
const FIXED64 = 1
const DELIMITED = 2
const FIXED32 = 5

type Field = DescMessage['fields'][number]

const numbered = new WeakMap<DescMessage, ReadonlyMap<number, Field>>()

function fieldsByNumber(schema: DescMessage): ReadonlyMap<number, Field> {
  let known = numbered.get(schema)
  if (known === undefined) {
    known = new Map(schema.fields.map((field) => [field.number, field]))
    numbered.set(schema, known)
  }
  return known
}

/** One pass over the bytes that builds nothing. */
class ElementScan {
  count = 0
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Counts what stands before `end`; false when the bytes are malformed or nested too deeply. */
  message(schema: DescMessage | undefined, end: number, depth: number): boolean {
    if (depth > MAX_DEPTH) return false
    const fields = schema === undefined ? undefined : fieldsByNumber(schema)
    while (this.#at < end) {
      const tag = this.#varint()
      this.#add(1)
      if (!this.#value(fields?.get(tag >>> 3), tag & 7, depth)) return false
    }
    return this.#at === end
  }

  #value(field: Field | undefined, wireType: number, depth: number): boolean {
    switch (wireType) {
      case VARINT:
        this.#varint()
        return true
      case FIXED64:
        this.#at += 8
        return true
      case FIXED32:
        this.#at += 4
        return true
      case DELIMITED: {
        const end = this.#varint() + this.#at
        if (end > this.#bytes.length) return false
        if (field?.fieldKind === 'map') return this.#entry(field, end, depth)
        if (field?.message !== undefined) return this.message(field.message, end, depth + 1)
        if (field?.fieldKind === 'list' && !isText(field.scalar)) this.#packed(field.scalar, end)
        this.#at = end
        return true
      }
      default:
        // A group begins or ends: its fields are counted one by one.
        return wireType === 3 || wireType === 4
    }
  }

  /** An entry of a map: a message with the key under 1 and the value under 2. */
  #entry(field: Field & { readonly fieldKind: 'map' }, end: number, depth: number): boolean {
    while (this.#at < end) {
      const tag = this.#varint()
      this.#add(1)
      if (field.message !== undefined && tag === ((2 << 3) | DELIMITED)) {
        const inner = this.#varint() + this.#at
        if (inner > end || !this.message(field.message, inner, depth + 1)) return false
      } else if (!this.#value(undefined, tag & 7, depth)) return false
    }
    return this.#at === end
  }

  #packed(scalar: ScalarType | undefined, end: number): void {
    const width = widthOf(scalar)
    if (width > 0) {
      this.#add(Math.ceil((end - this.#at) / width))
      return
    }
    // The last byte of each varint has no continuation bit.
    for (let at = this.#at; at < end; at++) if ((this.#bytes[at] ?? 0) < 0x80) this.#add(1)
  }

  #varint(): number {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#bytes[this.#at++] ?? 0
      if (shift < 28) value |= (byte & 0x7f) << shift
      else if (shift < 35) value += (byte & 0x0f) * 2 ** shift
      if (byte < 0x80) break
    }
    return value
  }

  #add(elements: number): void {
    this.count += elements
    if (this.count <= MAX_ELEMENTS) return
    work.elements += MAX_ELEMENTS
    throw tooManyElements()
  }
}

function isText(scalar: ScalarType | undefined): boolean {
  return scalar === ScalarType.STRING || scalar === ScalarType.BYTES
}

/** Bytes of each number in a packed list; 0 where they differ. */
function widthOf(scalar: ScalarType | undefined): number {
  switch (scalar) {
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return 8
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return 4
    default:
      return 0
  }
}
