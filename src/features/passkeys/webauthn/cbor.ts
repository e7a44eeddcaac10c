/**
 * Finds the end of a CBOR item by strict rules (RFC 8949, in the form of CTAP2): complete, no duplicate keys, no
 * indefinite lengths, limited depth. The library ignores data after the first item; this function detects it. Pure.
 */

const DEEPEST = 8
const UNSIGNED = 0
const NEGATIVE = 1
const BYTES = 2
const TEXT = 3
const ARRAY = 4
const MAP = 5
const TAG = 6

/** The bytes are not valid CBOR. */
class BadCbor extends Error {
  override readonly name = 'BadCbor'
}

interface Head {
  readonly type: number
  readonly value: number
  readonly end: number
}

function headAt(bytes: Buffer, offset: number): Head {
  const first = bytes[offset]
  if (first === undefined) throw new BadCbor('ends early')
  const type = first >> 5
  const info = first & 0x1f
  if (info < 24) return { type, value: info, end: offset + 1 }
  const size = info <= 27 ? 2 ** (info - 24) : 0
  if (size === 0 || offset + 1 + size > bytes.length) throw new BadCbor('has no valid length')
  const value = size === 8 ? Number(bytes.readBigUInt64BE(offset + 1)) : bytes.readUIntBE(offset + 1, size)
  return { type, value, end: offset + 1 + size }
}

function endOfMap(bytes: Buffer, { value, end }: Head, depth: number): number {
  const keys = new Set<string>()
  let next = end
  for (let i = 0; i < value; i++) {
    const afterKey = itemEnd(bytes, next, depth + 1)
    const key = bytes.toString('latin1', next, afterKey)
    if (keys.has(key)) throw new BadCbor('has a key twice')
    keys.add(key)
    next = itemEnd(bytes, afterKey, depth + 1)
  }
  return next
}

/** The end of the item that starts at `offset`; throws `BadCbor` when it is invalid. */
export function itemEnd(bytes: Buffer, offset = 0, depth = 0): number {
  if (depth > DEEPEST) throw new BadCbor('is nested too deeply')
  const head = headAt(bytes, offset)
  const { type, value, end } = head
  switch (type) {
    case UNSIGNED:
    case NEGATIVE:
      return end
    case BYTES:
    case TEXT:
      if (end + value > bytes.length) throw new BadCbor('ends early')
      return end + value
    case ARRAY: {
      let next = end
      for (let i = 0; i < value; i++) next = itemEnd(bytes, next, depth + 1)
      return next
    }
    case MAP:
      return endOfMap(bytes, head, depth)
    case TAG:
      return itemEnd(bytes, end, depth + 1)
    default:
      return end
  }
}
