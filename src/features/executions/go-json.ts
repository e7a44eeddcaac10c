/**
 * JSON as the peer writes it, because receivers compare and hash whole bodies: compact, members in a fixed order, empty ones
 * left out, and what browsers could read as markup escaped.
 */

const ESCAPED: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** The text of a value. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (character) => ESCAPED[character] ?? character)
}

/** Whether a member is left out. */
function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === '' ||
    value === 0 ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  )
}

/** An object without its empty members. */
export function withoutEmpty(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)))
}

/** How the peer writes a time that is not set. */
const NO_TIME = '0001-01-01T00:00:00Z'

/** A time as the peer writes it: without zeros at the end of the fraction. */
export function goTime(at: number | undefined): string {
  return at === undefined ? NO_TIME : new Date(at).toISOString().replace(/\.?0*Z$/, 'Z')
}
