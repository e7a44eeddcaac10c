/**
 * JSON text to value, with the rules that JSON.parse does not know: well-formed UTF-8, bounded depth and number of
 * elements, no member given twice.
 */
import { isUtf8 } from 'node:buffer'
import { invalidFields, malformed } from '../protocols/errors.ts'
import { work } from '../work.ts'
import { MAX_ELEMENTS, tooManyElements } from './elements.ts'

const MAX_DEPTH = 100

const QUOTE = 0x22
const COLON = 0x3a
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** The value of a JSON body. An empty body is an empty object. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {}
  if (!isUtf8(body)) throw malformed('The body is not valid UTF-8.')
  const text = body.toString()
  const members = countMembers(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON.')
  }
  // JSON.parse keeps only the last of two members with the same name. Then the value has fewer members than the text.
  if (countKept(value) !== members) {
    throw invalidFields([{ field: findRepeated(text), description: 'is given more than once' }])
  }
  return value
}

/** The index of the quote that closes the string opened at `open`, or the end of the text. */
function closingQuote(text: string, open: number): number {
  let at = open
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at < 0) return text.length
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
}

/** How many members the objects of a text have together. The text need not be JSON yet: only depth and number are refused. */
function countMembers(text: string): number {
  let members = 0
  let depth = 0
  let elements = 1
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = closingQuote(text, at)
        break
      case COLON:
        members++
        break
      case COMMA:
        if (++elements > MAX_ELEMENTS) throw tooManyElements()
        break
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > MAX_DEPTH) throw malformed(`The body is nested deeper than ${MAX_DEPTH} levels.`)
        if (++elements > MAX_ELEMENTS) throw tooManyElements()
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--
    }
  }
  work.elements += elements
  return members
}

function countKept(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const item of value) members += countKept(item)
    return members
  }
  const record = value as Readonly<Record<string, unknown>>
  for (const name in record) members += 1 + countKept(record[name])
  return members
}

/** Finds the duplicate member. Runs only if there is one, on text that JSON.parse accepted. */
function findRepeated(text: string): string {
  const open: { readonly seen?: Set<string>; at: string }[] = []
  let expectsName = false
  for (let at = 0; at < text.length; at++) {
    const here = open.at(-1)
    switch (text[at]) {
      case '{':
        open.push({ seen: new Set(), at: '' })
        expectsName = true
        break
      case '[':
        open.push({ at: '0' })
        expectsName = false
        break
      case '}':
      case ']':
        open.pop()
        expectsName = false
        break
      case ',':
        expectsName = here?.seen !== undefined
        if (here !== undefined && here.seen === undefined) here.at = String(Number(here.at) + 1)
        break
      case '"': {
        const end = closingQuote(text, at)
        if (expectsName && here?.seen !== undefined) {
          here.at = JSON.parse(text.slice(at, end + 1))
          if (here.seen.has(here.at)) {
            return open.reduce((path, { seen, at: step }) => path + (seen ? `${path && '.'}${step}` : `[${step}]`), '')
          }
          here.seen.add(here.at)
          expectsName = false
        }
        at = end
      }
    }
  }
  return ''
}
