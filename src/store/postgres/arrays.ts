/**
 * Encodes one column of a list of rows as an array in PostgreSQL's binary format. A batch is sent as some dozens of
 * them: neither side has to escape, quote or parse a value.
 */

type Pick<Row, Value> = (row: Row, index: number) => Value

const TYPE = { boolean: 16, bigint: 20, integer: 23, text: 25, json: 114, jsonb: 3802 } as const

const HEADER_BYTES = 20

// array_send: dimensions, has nulls, element type, then for each dimension its length and lower bound.
function allocate(type: number, length: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + bytes)
  buffer.writeInt32BE(length === 0 ? 0 : 1, 0)
  buffer.writeInt32BE(0, 4)
  buffer.writeInt32BE(type, 8)
  buffer.writeInt32BE(length, 12)
  buffer.writeInt32BE(1, 16)
  return length === 0 ? buffer.subarray(0, 12) : buffer
}

function encodeStrings<Row>(rows: readonly Row[], pick: Pick<Row, string>, type: number, prefix: string): Buffer {
  const values = rows.map((row, index) => prefix + pick(row, index))
  // A UTF-16 unit becomes three bytes of UTF-8 at most.
  const capacity = values.reduce((sum, value) => sum + 4 + value.length * 3, 0)
  const buffer = allocate(type, values.length, capacity)
  let offset = values.length === 0 ? buffer.length : HEADER_BYTES
  for (const value of values) {
    const written = buffer.write(value, offset + 4, 'utf8')
    buffer.writeInt32BE(written, offset)
    offset += 4 + written
  }
  return buffer.subarray(0, offset)
}

/** A column of `text`. */
export function texts<Row>(rows: readonly Row[], pick: Pick<Row, string>): Buffer {
  return encodeStrings(rows, pick, TYPE.text, '')
}

/** A column of `json`. */
export function jsons<Row>(rows: readonly Row[], pick: Pick<Row, string>): Buffer {
  return encodeStrings(rows, pick, TYPE.json, '')
}

/** A column of `jsonb`; on the wire it is text after a version number, which is 1. */
export function jsonbs<Row>(rows: readonly Row[], pick: Pick<Row, string>): Buffer {
  return encodeStrings(rows, pick, TYPE.jsonb, '\u0001')
}

/** A column of `integer`. */
export function integers<Row>(rows: readonly Row[], pick: Pick<Row, number>): Buffer {
  const buffer = allocate(TYPE.integer, rows.length, rows.length * 8)
  for (const [index, row] of rows.entries()) {
    buffer.writeInt32BE(4, HEADER_BYTES + index * 8)
    buffer.writeInt32BE(pick(row, index), HEADER_BYTES + index * 8 + 4)
  }
  return buffer
}

/** A column of `bigint`, from whole numbers that JavaScript holds exactly. */
export function bigints<Row>(rows: readonly Row[], pick: Pick<Row, number>): Buffer {
  const buffer = allocate(TYPE.bigint, rows.length, rows.length * 12)
  for (const [index, row] of rows.entries()) {
    buffer.writeInt32BE(8, HEADER_BYTES + index * 12)
    buffer.writeBigInt64BE(BigInt(pick(row, index)), HEADER_BYTES + index * 12 + 4)
  }
  return buffer
}

/** A column of `boolean`. */
export function booleans<Row>(rows: readonly Row[], pick: Pick<Row, boolean>): Buffer {
  const buffer = allocate(TYPE.boolean, rows.length, rows.length * 5)
  for (const [index, row] of rows.entries()) {
    buffer.writeInt32BE(1, HEADER_BYTES + index * 5)
    buffer[HEADER_BYTES + index * 5 + 4] = pick(row, index) ? 1 : 0
  }
  return buffer
}
