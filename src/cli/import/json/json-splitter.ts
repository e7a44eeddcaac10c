/**
 * Cuts a JSON text of any size into parts that can be parsed one by one: the members of an object, and the elements of
 * those members that are long lists. It only follows quotation marks and brackets; `JSON.parse` judges each part.
 */

/** A member of the object, or one element of a list. */
export interface JsonPart {
  /** Empty where the whole text is a list. */
  readonly member: string
  /** Of an element. */
  readonly index?: number
  readonly bytes: Uint8Array
}

/** The text is no JSON object or list, or is not complete. The sentence continues after the name of the file. */
export class JsonBroken extends Error {
  override readonly name = 'JsonBroken'
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** More than one part of any real file, and less than what a text can hold. */
const LARGEST_PART = 256 * 1024 * 1024

type Expected = 'start' | 'key' | 'key or end' | 'colon' | 'value' | 'value or end' | 'next' | 'end of file'

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Reads one text, piece by piece. `isLong` says which members are lists whose elements are wanted one by one. */
export class JsonSplitter {
  readonly #isLong: (member: string) => boolean
  #expected: Expected = 'start'
  /** What is open around the next part: the outer object or list, and the long list in it. */
  readonly #open: ('object' | 'list')[] = []
  #member = ''
  #index = 0
  #collects: 'key' | 'value' | undefined
  #kept: Uint8Array[] = []
  #size = 0
  #depth = 0
  #isInText = false
  #isEscaped = false
  /** Bytes before the current piece. */
  #before = 0

  constructor(isLong: (member: string) => boolean) {
    this.#isLong = isLong
  }

  /** The parts that end in this piece. Each is valid until the next one is asked for. */
  *push(bytes: Uint8Array): Generator<JsonPart> {
    let at = 0
    while (at < bytes.length) {
      if (this.#collects === undefined) {
        if (!this.#begins(bytes[at] ?? 0, this.#before + at)) at++
        continue
      }
      const end = this.#findEnd(bytes, at)
      this.#keep(bytes.subarray(at, end < 0 ? bytes.length : end))
      if (end < 0) break
      at = end
      const part = this.#take()
      if (part !== undefined) yield part
    }
    this.#before += bytes.length
  }

  /** Throws unless the text is complete. */
  end(): void {
    if (this.#expected === 'end of file') return
    throw new JsonBroken(
      this.#before === 0 ? 'is empty' : `is not complete: it ends after ${this.#before} bytes, in ${this.place()}`,
    )
  }

  /** Where the reader is, as a person would name it. */
  place(): string {
    if (this.#open.length === 0) return 'the first object'
    return this.#open.at(-1) === 'list' ? `${this.#member}[${this.#index}]` : this.#member || 'the first object'
  }

  /** Whether a part begins with this byte; otherwise the byte is used up. */
  #begins(byte: number, position: number): boolean {
    if (isSpace(byte)) return false
    const expected = this.#expected
    if (expected === 'start') return BYTE_ORDER_MARK[position] === byte ? false : this.#openFirst(byte)
    if (expected === 'colon' && byte === COLON) this.#expected = 'value'
    else if (expected === 'next' && byte === COMMA) this.#expected = this.#open.at(-1) === 'object' ? 'key' : 'value'
    else if ((expected === 'next' || expected.endsWith('or end')) && this.#closes(byte)) this.#close()
    else if (expected.startsWith('key') && byte === QUOTE) this.#collects = 'key'
    else if (expected.startsWith('value')) return this.#beginValue(byte, position)
    else throw new JsonBroken(`is not valid JSON at byte ${position + 1}, in ${this.place()}`)
    return this.#collects !== undefined
  }

  #openFirst(byte: number): false {
    if (byte !== OPEN_OBJECT && byte !== OPEN_LIST) throw new JsonBroken('is not a JSON object or list')
    this.#open.push(byte === OPEN_OBJECT ? 'object' : 'list')
    this.#expected = byte === OPEN_OBJECT ? 'key or end' : 'value or end'
    return false
  }

  #beginValue(byte: number, position: number): boolean {
    if (byte === COMMA || byte === COLON || byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      throw new JsonBroken(`is not valid JSON at byte ${position + 1}, in ${this.place()}`)
    }
    if (byte === OPEN_LIST && this.#open.at(-1) === 'object' && this.#isLong(this.#member)) {
      this.#open.push('list')
      this.#index = 0
      this.#expected = 'value or end'
      return false
    }
    this.#collects = 'value'
    return true
  }

  #closes(byte: number): boolean {
    return byte === (this.#open.at(-1) === 'object' ? CLOSE_OBJECT : CLOSE_LIST)
  }

  #close(): void {
    this.#open.pop()
    this.#expected = this.#open.length === 0 ? 'end of file' : 'next'
  }

  /** Where the part ends; -1 when it continues in the next piece. */
  #findEnd(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) {
          this.#isInText = false
          if (this.#depth === 0) return at + 1
        }
      } else if (byte === QUOTE) this.#isInText = true
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth++
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (this.#depth === 0) return at
        this.#depth--
        if (this.#depth === 0) return at + 1
      } else if (this.#depth === 0 && (byte === COMMA || byte === COLON || isSpace(byte))) return at
    }
    return -1
  }

  #keep(bytes: Uint8Array): void {
    this.#kept.push(bytes)
    this.#size += bytes.length
    if (this.#size > LARGEST_PART) throw new JsonBroken(`has a part of more than 256 MiB, ${this.place()}`)
  }

  #take(): JsonPart | undefined {
    const [only] = this.#kept
    const bytes = this.#kept.length === 1 && only !== undefined ? only : Buffer.concat(this.#kept)
    this.#kept = []
    this.#size = 0
    const collected = this.#collects
    this.#collects = undefined
    if (collected === 'key') {
      this.#member = String(parsePart({ member: this.place(), bytes }))
      this.#expected = 'colon'
      return undefined
    }
    this.#expected = 'next'
    if (this.#open.at(-1) === 'object') return { member: this.#member, bytes }
    const index = this.#index++
    return { member: this.#open.length === 1 ? '' : this.#member, index, bytes }
  }
}

/** The value of a part. What is wrong with it is not quoted: it may be a secret. */
export function parsePart({ member, index, bytes }: JsonPart): unknown {
  const place = index === undefined ? member : `${member}[${index}]`
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new JsonBroken(`is not UTF-8, in ${place}`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonBroken(`is not valid JSON, in ${place}`)
  }
}
