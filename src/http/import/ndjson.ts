/** Newline-delimited JSON as it arrives: bytes in any pieces become numbered lines, none of them longer than allowed. */

export interface Line {
  /** Counted from 1, empty lines included, so that it is the number an editor shows. */
  readonly number: number
  /** Without its end; undefined when it is too long to be kept. */
  readonly bytes: Buffer | undefined
}

export interface LineSplitter {
  /** The lines that end in this piece; those with nothing on them are counted and left out. */
  push(piece: Buffer): readonly Line[]
  /** The last line, if the body did not end with a line break. To be called only when the whole body has arrived. */
  end(): readonly Line[]
  /** How many lines have ended. */
  readonly count: number
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

export function openLineSplitter(maxBytes: number): LineSplitter {
  let count = 0
  /** The beginning of a line whose end has not arrived: the first `size` bytes of `kept`. */
  let kept = EMPTY
  let size = 0
  let isTooLong = false

  const keep = (piece: Buffer) => {
    if (isTooLong || size + piece.length > maxBytes) {
      isTooLong = true
      kept = EMPTY
      size = 0
      return
    }
    // Pieces may be as small as a byte: kept one by one they would weigh far more than the line.
    if (size + piece.length > kept.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(1024, 2 * (size + piece.length))))
      kept.copy(larger, 0, 0, size)
      kept = larger
    }
    piece.copy(kept, size)
    size += piece.length
  }

  /** The line that ends with `last`. */
  const finish = (last: Buffer, lines: Line[]) => {
    count++
    let bytes: Buffer | undefined = last
    if (size > 0 || isTooLong || last.length > maxBytes) {
      keep(last)
      bytes = isTooLong ? undefined : kept.subarray(0, size)
      kept = EMPTY
      size = 0
      isTooLong = false
    }
    // Some editors begin a file with one; it is no part of the JSON.
    if (count === 1 && bytes?.subarray(0, 3).equals(BYTE_ORDER_MARK)) bytes = bytes.subarray(3)
    if (bytes === undefined || !isBlank(bytes)) lines.push({ number: count, bytes })
  }

  return {
    push(piece) {
      const lines: Line[] = []
      let start = 0
      for (;;) {
        const end = piece.indexOf(LINE_FEED, start)
        if (end < 0) break
        finish(piece.subarray(start, end), lines)
        start = end + 1
      }
      if (start < piece.length) keep(piece.subarray(start))
      return lines
    },
    end() {
      const lines: Line[] = []
      if (size > 0 || isTooLong) finish(EMPTY, lines)
      return lines
    },
    get count() {
      return count
    },
  }
}
