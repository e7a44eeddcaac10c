/** Splits newline-delimited JSON into numbered lines of limited length, as its bytes arrive. */

export interface Line {
  /** Counted from 1 and including empty lines, like line numbers in an editor. */
  readonly number: number
  /** Without the line break; undefined when the line is too long. */
  readonly bytes: Buffer | undefined
}

/** The media type of newline-delimited JSON. */
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
  /** The start of a line whose end has not arrived: the first `#size` bytes of `#kept`. */
  #kept = EMPTY
  #size = 0
  #isTooLong = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Returns the lines that end in this piece. Empty lines are counted but not returned. */
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

  /** Returns the last line if the body did not end with a line break. Call it only when the whole body has arrived. */
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
    // Pieces can be as small as a byte. As separate buffers they would need far more memory than the line.
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
    // Some editors start a file with a byte order mark, which is not part of the JSON.
    if (this.#count === 1 && bytes?.subarray(0, 3).equals(BYTE_ORDER_MARK)) bytes = bytes.subarray(3)
    if (bytes === undefined || !isBlank(bytes)) lines.push({ number: this.#count, bytes })
  }
}
