/**
 * Reads CSV (RFC 4180) as its text arrives, and tells on which line each record begins. Commas, semicolons and tabs are
 * told apart by the first line; quoted cells may contain them, line breaks and doubled quotes.
 */

export interface CsvRecord {
  /** Where the record begins, counted from 1 as an editor does. */
  readonly line: number
  readonly cells: readonly string[]
  /** What is wrong with its quotes. */
  readonly problem?: 'unclosed_quote' | 'text_after_quote'
}

/** A record longer than this is taken for one whose quote is never closed: it would swallow the rest of the file. */
const MOST_CHARACTERS = 2 * 1024 * 1024
const MOST_OF_FIRST_LINE = 64 * 1024

const SEPARATORS = [',', ';', '\t']

/** The separator that is most often in the first line, outside of quotes. */
function separatorOf(text: string): string {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const countOf = (separator: string) => line.split(separator).length
  return SEPARATORS.reduce((best, one) => (countOf(one) > countOf(best) ? one : best))
}

type State = 'start' | 'plain' | 'quoted' | 'quote_in_quoted'

/** One file. */
export class CsvReader {
  #waiting: string | undefined = ''
  #separator = ','
  #state: State = 'start'
  #line = 1
  #recordLine = 1
  #cells: string[] = []
  #cell = ''
  #length = 0
  #afterReturn = false
  #problem: CsvRecord['problem']
  #isBroken = false

  /** Takes the next piece of text and answers the records that end in it. */
  push(text: string): readonly CsvRecord[] {
    if (this.#waiting === undefined) return this.#read(text)
    this.#waiting += text
    // A quoted name of a column may contain a line break.
    const hasLine = /[\r\n]/.test(this.#waiting.replaceAll(/"[^"]*"/g, ''))
    return hasLine || this.#waiting.length > MOST_OF_FIRST_LINE ? this.#begin() : []
  }

  /** The last record, which need not end with a line break. */
  end(): readonly CsvRecord[] {
    const records = this.#waiting === undefined ? [] : [...this.#begin()]
    if (this.#state === 'quoted') this.#problem = 'unclosed_quote'
    if (this.#state !== 'start' || this.#cells.length > 0) this.#endRecord(records)
    return records
  }

  #begin(): readonly CsvRecord[] {
    const text = (this.#waiting ?? '').replace(/^\ufeff/, '')
    this.#waiting = undefined
    this.#separator = separatorOf(text)
    return this.#read(text)
  }

  #read(text: string): readonly CsvRecord[] {
    const records: CsvRecord[] = []
    for (let at = 0; at < text.length && !this.#isBroken; ) at = this.#step(text, at, records)
    return records
  }

  /** Reads the character at this place, or all up to the next one that means something; answers where to continue. */
  #step(text: string, at: number, records: CsvRecord[]): number {
    const character = text[at] as string
    const isSecondOfBreak = this.#afterReturn && character === '\n'
    this.#afterReturn = character === '\r'
    if (this.#state === 'quoted') return this.#stepQuoted(text, at, isSecondOfBreak, records)
    if (isSecondOfBreak) return at + 1
    if (character === '"' && this.#state !== 'plain') {
      if (this.#state === 'quote_in_quoted') this.#cell += '"'
      this.#state = 'quoted'
    } else if (character === this.#separator) this.#endCell()
    else if (character === '\r' || character === '\n') {
      this.#endRecord(records)
      this.#line++
      this.#recordLine = this.#line
    } else return this.#takePlain(text, at)
    return at + 1
  }

  #stepQuoted(text: string, at: number, isSecondOfBreak: boolean, records: CsvRecord[]): number {
    const quote = text.indexOf('"', at)
    const end = quote === -1 ? text.length : quote
    const part = text.slice(at, end)
    const breaks = part.match(/\r\n|\r|\n/g)?.length ?? 0
    this.#line += breaks - (isSecondOfBreak ? 1 : 0)
    this.#afterReturn = part.endsWith('\r')
    this.#cell += part
    this.#length += part.length
    if (quote !== -1) this.#state = 'quote_in_quoted'
    if (this.#length > MOST_CHARACTERS) {
      this.#problem = 'unclosed_quote'
      this.#endRecord(records)
      this.#isBroken = true
    }
    return quote === -1 ? end : quote + 1
  }

  #takePlain(text: string, at: number): number {
    if (this.#state === 'quote_in_quoted') this.#problem = 'text_after_quote'
    this.#state = 'plain'
    let end = at + 1
    while (end < text.length && text[end] !== this.#separator && text[end] !== '\r' && text[end] !== '\n') end++
    this.#cell += text.slice(at, end)
    this.#length += end - at
    return end
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#state = 'start'
  }

  #endRecord(records: CsvRecord[]): void {
    this.#endCell()
    const cells = this.#cells
    const problem = this.#problem
    this.#cells = []
    this.#length = 0
    this.#problem = undefined
    // A line with nothing on it, or a row that a spreadsheet left behind.
    if (problem === undefined && cells.every((cell) => cell.trim() === '')) return
    records.push({ line: this.#recordLine, cells, ...(problem !== undefined && { problem }) })
  }
}
