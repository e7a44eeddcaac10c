/** The texts that the documents of a kind have in one field, packed so that a million of them is searched in 20 ms. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LONGEST_SEARCH_TEXT } from '../kernel/fold-text.ts'
import type { Texts } from './engine.ts'
import type { InsideText } from './query/inside-texts.ts'

/** Texts one behind the other, and where each ends; a missing one is empty. */
interface Packed {
  readonly bytes: Buffer
  readonly ends: Uint32Array
  /** Whether all are in ASCII, and too short to have been cut. */
  readonly isPlain: boolean
}

interface Segment {
  readonly ids: Packed
  readonly texts: Packed
}

const SHORTEST_CUT_TEXT = LONGEST_SEARCH_TEXT / 2

/** So long the search holds up everything else. */
const MOST_AT_ONCE_MS = 5

function pack(texts: readonly (string | null)[]): Packed {
  const joined = texts.join('')
  const bytes = Buffer.from(joined)
  const ends = new Uint32Array(texts.length)
  let [end, longest] = [0, 0]
  texts.forEach((text, row) => {
    const length = text === null ? 0 : Buffer.byteLength(text)
    longest = Math.max(longest, length)
    end += length
    ends[row] = end
  })
  return { bytes, ends, isPlain: bytes.byteLength === joined.length && longest < SHORTEST_CUT_TEXT }
}

function sizeOf({ bytes, ends }: Packed): number {
  return bytes.byteLength + ends.byteLength
}

function textOf({ bytes, ends }: Packed, row: number): string {
  return bytes.toString('utf8', row === 0 ? 0 : ends[row - 1], ends[row])
}

/** The first row from `first` on that ends after a position. */
function rowAt({ ends }: Packed, position: number, first: number): number {
  let [low, high] = [first, ends.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle] as number) <= position) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether a text that was found up to a position, in a row that ends at another one, is one that was sought. */
type IsSought = (texts: Packed, position: number, end: number, start: number) => boolean

const anywhere: IsSought = (_, position, end) => position <= end
const atTheEnd: IsSought = (_, position, end) => position === end
const beforeNonAscii: IsSought = ({ bytes }, position, end, start) =>
  position === end ? end - start >= SHORTEST_CUT_TEXT : position < end && (bytes[position] as number) >= 0x80

/** The rows in which a text is found. */
function* rowsWith(texts: Packed, sought: Buffer, isSought: IsSought): Generator<number> {
  let [from, row] = [0, 0]
  for (;;) {
    const position = texts.bytes.indexOf(sought, from)
    if (position < 0) return
    row = rowAt(texts, position, row)
    const end = texts.ends[row] as number
    const start = row === 0 ? 0 : (texts.ends[row - 1] as number)
    const isFound = isSought(texts, position + sought.byteLength, end, start)
    if (isFound) yield row
    from = isFound ? end : position + 1
  }
}

/** The rows that meet a condition. */
function* rowsOf(texts: Packed, { sought, where, next = '' }: InsideText): Generator<number> {
  yield* rowsWith(texts, Buffer.from(sought + next), where === 'anywhere' ? anywhere : atTheEnd)
  if (next !== '' && !texts.isPlain) yield* rowsWith(texts, Buffer.from(sought), beforeNonAscii)
}

export class TextColumn {
  readonly #segments: Segment[] = []
  #rows = 0
  #bytes = 0

  /** How many texts it has; of a document that was added again, all of them. */
  get rows(): number {
    return this.#rows
  }

  /** How much memory it takes. */
  get bytes(): number {
    return this.#bytes
  }

  add({ ids, texts }: Texts): void {
    if (ids.length === 0) return
    const segment = { ids: pack(ids), texts: pack(texts) }
    this.#segments.push(segment)
    this.#rows += ids.length
    this.#bytes += sizeOf(segment.ids) + sizeOf(segment.texts)
  }

  /** The ids of all documents that have, or had, a text that meets a condition; undefined when there are more than `most`. */
  async find(condition: InsideText, most: number): Promise<ReadonlySet<string> | undefined> {
    const found = new Set<string>()
    let startedAt = performance.now()
    for (const { ids, texts } of this.#segments) {
      for (const row of rowsOf(texts, condition)) found.add(textOf(ids, row))
      if (found.size > most) return undefined
      if (performance.now() - startedAt > MOST_AT_ONCE_MS) {
        await nextTurn()
        startedAt = performance.now()
      }
    }
    return found
  }
}
