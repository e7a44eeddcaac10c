/** The subset of CBOR (RFC 8949) that authenticators write. Maps keep their order. */

export type Cbor =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | readonly Cbor[]
  | ReadonlyMap<number | string, Cbor>
  /** Raw bytes, for invalid items. */
  | { readonly raw: Uint8Array }

function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value])
  const size = value < 0x100 ? 1 : value < 0x1_0000 ? 2 : 4
  const bytes = Buffer.alloc(1 + size)
  bytes[0] = (type << 5) | (23 + [1, 2, 4].indexOf(size) + 1)
  bytes.writeUIntBE(value, 1, size)
  return bytes
}

/** The bytes of an item. */
export function encodeCbor(item: Cbor): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item)
  if (typeof item === 'boolean') return Buffer.from([item ? 0xf5 : 0xf4])
  if (item === null) return Buffer.from([0xf6])
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  if (item instanceof Uint8Array) return Buffer.concat([head(2, item.length), item])
  if (item instanceof Map) {
    return Buffer.concat([head(5, item.size), ...[...item].flatMap((pair) => pair.map((one) => encodeCbor(one)))])
  }
  if ('raw' in item) return Buffer.from(item.raw as Uint8Array)
  const items = item as readonly Cbor[]
  return Buffer.concat([head(4, items.length), ...items.map((one) => encodeCbor(one))])
}
