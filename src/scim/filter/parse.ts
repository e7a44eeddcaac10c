/** Reads filters (RFC 7644 §3.4.2.2) and the paths of PATCH (§3.5.2). Length, depth and number of conditions are bounded. */
import { ScimError, type ScimType } from '../errors.ts'

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Operator = (typeof OPERATORS)[number]

export type Comparable = string | number | boolean | null

export type ScimFilter =
  | { readonly type: 'and' | 'or'; readonly filters: readonly ScimFilter[] }
  | { readonly type: 'not'; readonly filter: ScimFilter }
  | { readonly type: 'present'; readonly path: string }
  | { readonly type: 'compare'; readonly path: string; readonly operator: Operator; readonly value: Comparable }
  /** Conditions on one value of a list: `emails[type eq "work"]`. */
  | { readonly type: 'value'; readonly path: string; readonly filter: ScimFilter }

/** The path of a PATCH operation: `attr`, `attr.sub`, `attr[filter]` or `attr[filter].sub`. */
export interface PatchPath {
  readonly path: string
  readonly filter?: ScimFilter
  /** The part behind the filter. */
  readonly part?: string
}

const MAX_FILTER_LENGTH = 1_000
const MAX_DEPTH = 10
const MAX_CONDITIONS = 50

type Token =
  | { readonly type: 'word'; readonly text: string }
  | { readonly type: 'value'; readonly value: string | number }
  | { readonly type: '(' | ')' | '[' | ']' }
  /** `.sub` behind a bracket. */
  | { readonly type: 'part'; readonly text: string }

const TOKEN =
  /\s*(?:(?<word>[A-Za-z$][\w$.:-]*)|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<mark>[()[\]])|\.(?<part>[A-Za-z$][\w$-]*))\s*/y

class FilterReader {
  readonly #tokens: readonly Token[]
  readonly #scimType: ScimType
  #at = 0
  #conditions = 0

  constructor(text: string, scimType: ScimType) {
    this.#scimType = scimType
    if (text.length > MAX_FILTER_LENGTH) throw this.#refuse(`must not have more than ${MAX_FILTER_LENGTH} characters`)
    this.#tokens = this.#split(text)
  }

  #refuse(description: string): ScimError {
    const what = this.#scimType === 'invalidPath' ? 'The path' : 'The filter'
    return new ScimError(400, `${what} ${description}.`, this.#scimType)
  }

  #split(text: string): readonly Token[] {
    const tokens: Token[] = []
    TOKEN.lastIndex = 0
    for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
      const groups = TOKEN.exec(text)?.groups
      if (groups === undefined) throw this.#refuse(`cannot be read at position ${at + 1}`)
      const { word, text: quoted, number, mark, part } = groups
      if (word !== undefined) tokens.push({ type: 'word', text: word })
      else if (quoted !== undefined) tokens.push({ type: 'value', value: this.#unquote(quoted) })
      else if (number !== undefined) tokens.push({ type: 'value', value: Number(number) })
      else if (part !== undefined) tokens.push({ type: 'part', text: part })
      else tokens.push({ type: mark as '(' })
    }
    return tokens
  }

  #unquote(quoted: string): string {
    try {
      return JSON.parse(quoted)
    } catch {
      throw this.#refuse('contains a text with an unknown escape')
    }
  }

  #take(type: Token['type']): Token | undefined {
    const token = this.#tokens[this.#at]
    if (token?.type !== type) return undefined
    this.#at++
    return token
  }

  #require(type: ')' | ']'): void {
    if (this.#take(type) === undefined) throw this.#refuse(`lacks a “${type}”`)
  }

  #word(): string | undefined {
    const token = this.#take('word')
    return token?.type === 'word' ? token.text : undefined
  }

  /** Takes the next word if it is this one, in any case. */
  #keyword(word: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.type !== 'word' || token.text.toLowerCase() !== word) return false
    this.#at++
    return true
  }

  #series(word: 'and' | 'or', next: () => ScimFilter): ScimFilter {
    const first = next()
    const filters = [first]
    while (this.#keyword(word)) filters.push(next())
    return filters.length === 1 ? first : { type: word, filters }
  }

  #any(depth: number): ScimFilter {
    if (depth > MAX_DEPTH) throw this.#refuse(`must not be nested deeper than ${MAX_DEPTH}`)
    return this.#series('or', () => this.#series('and', () => this.#one(depth)))
  }

  #one(depth: number): ScimFilter {
    if (this.#take('(')) {
      const filter = this.#any(depth + 1)
      this.#require(')')
      return filter
    }
    const isNegated = this.#tokens[this.#at + 1]?.type === '(' && this.#keyword('not')
    if (isNegated) return { type: 'not', filter: this.#one(depth + 1) }
    const path = this.#word()
    if (path === undefined) throw this.#refuse('lacks an attribute')
    if (!this.#take('[')) return this.#condition(path)
    const filter = this.#any(depth + 1)
    this.#require(']')
    const part = this.#take('part')
    if (part?.type !== 'part') return { type: 'value', path, filter }
    // `emails[type eq "work"].value eq "x"`, as some directories write it.
    return { type: 'value', path, filter: { type: 'and', filters: [filter, this.#condition(part.text)] } }
  }

  #condition(path: string): ScimFilter {
    if (++this.#conditions > MAX_CONDITIONS) throw this.#refuse(`must not have more than ${MAX_CONDITIONS} conditions`)
    const word = this.#word()?.toLowerCase()
    if (word === 'pr') return { type: 'present', path }
    const operator = OPERATORS.find((one) => one === word)
    if (operator === undefined) throw this.#refuse(`lacks an operator behind ${path}`)
    return { type: 'compare', path, operator, value: this.#value(path) }
  }

  #value(path: string): Comparable {
    const token = this.#take('value')
    if (token?.type === 'value') return token.value
    const word = this.#word()?.toLowerCase()
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    throw this.#refuse(`lacks a value for ${path}`)
  }

  #finish(): void {
    if (this.#at < this.#tokens.length) throw this.#refuse('goes on after its end')
  }

  filter(): ScimFilter {
    const filter = this.#any(1)
    this.#finish()
    return filter
  }

  path(): PatchPath {
    const path = this.#word()
    if (path === undefined) throw this.#refuse('lacks an attribute')
    if (!this.#take('[')) {
      this.#finish()
      return { path }
    }
    const filter = this.#any(1)
    this.#require(']')
    const part = this.#take('part')
    this.#finish()
    return { path, filter, ...(part?.type === 'part' && { part: part.text }) }
  }
}

/** How many conditions a filter has. */
export function conditionsIn(filter: ScimFilter): number {
  if ('filters' in filter) return filter.filters.reduce((sum, one) => sum + conditionsIn(one), 0)
  return 'filter' in filter ? conditionsIn(filter.filter) : 1
}

/** Reads a filter; throws `invalidFilter`. */
export function parseFilter(text: string): ScimFilter {
  return new FilterReader(text, 'invalidFilter').filter()
}

/** Reads the path of a PATCH operation; throws `invalidPath`. */
export function parsePath(text: string): PatchPath {
  return new FilterReader(text, 'invalidPath').path()
}
