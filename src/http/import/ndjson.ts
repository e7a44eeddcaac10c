/** Newline-delimited JSON as it arrives: bytes in any pieces become numbered lines, none of them longer than allowed. */

export interface Line {
  /** Counted from 1, empty lines included, so that it is the number an editor shows. */
  readonly number: number
  /** Without its end; undefined when it is too long to be kept. */
  readonly bytes: Buffer | undefined
}

/** The media type of it. */
export const NDJSON = 'application/x-ndjson'

const LINE_FEED = 0x0a
const EMPTY = Buffer.alloc(0)
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  return true
}

/** Splits a body into lines. */
export class LineSplitter {
  readonly #maxBytes: number
  #count = 0
  /** The beginning of a line whose end has not arrived: the first `#size` bytes of `#kept`. */
  #kept = EMPTY
  #size = 0
  #isTooLong = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The lines that end in this piece; those with nothing on them are counted and left out. */
  push(piece: Buffer): readonly Line[] {
    const lines: Line[] = []
    let start = 0
    for (;;) {
      const end = piece.indexOf(LINE_FEED, start)
      if (end < 0) break
      this.#finish(piece.subarray(start, end), lines)
      start = end + 1
    }
    if (start < piece.length) this.#keep(piece.subarray(start))
    return lines
  }

  /** The last line, if the body did not end with a line break. To be called only when the whole body has arrived. */
  end(): readonly Line[] {
    const lines: Line[] = []
    if (this.#size > 0 || this.#isTooLong) this.#finish(EMPTY, lines)
    return lines
  }

  /** How many lines have ended. */
  get count(): number {
    return this.#count
  }

  #keep(piece: Buffer): void {
    const size = this.#size + piece.length
    if (this.#isTooLong || size > this.#maxBytes) {
      this.#isTooLong = true
      this.#kept = EMPTY
      this.#size = 0
      return
    }
    // Pieces may be as small as a byte: kept one by one they would weigh far more than the line.
    if (size > this.#kept.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.#maxBytes, Math.max(1024, 2 * size)))
      this.#kept.copy(larger, 0, 0, this.#size)
      this.#kept = larger
    }
    piece.copy(this.#kept, this.#size)
    this.#size = size
  }

  /** Adds the line that ends with `last`. */
  #finish(last: Buffer, lines: Line[]): void {
    this.#count++
    let bytes: Buffer | undefined = last
    if (this.#size > 0 || this.#isTooLong || last.length > this.#maxBytes) {
      this.#keep(last)
      bytes = this.#isTooLong ? undefined : this.#kept.subarray(0, this.#size)
      this.#kept = EMPTY
      this.#size = 0
      this.#isTooLong = false
    }
    // Some editors begin a file with one; it is no part of the JSON.
    if (this.#count === 1 && bytes?.subarray(0, 3).equals(BYTE_ORDER_MARK)) bytes = bytes.subarray(3)
    if (bytes === undefined || !isBlank(bytes)) lines.push({ number: this.#count, bytes })
  }
}
