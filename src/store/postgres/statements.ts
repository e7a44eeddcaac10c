/** The statements of a text with several of them. */

/** What contains no end of a statement: comments, texts, names in quotation marks, and bodies of functions. */
const WHOLE = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$/g

/**
 * Splits it, so that each is sent by itself: a distributed PostgreSQL runs no call with several statements of which one
 * changes the schema. Comments before a statement belong to it.
 */
export function statementsOf(text: string): readonly string[] {
  // Of equal length, so that positions are the same.
  const ends = text.replace(WHOLE, (whole) => ' '.repeat(whole.length))
  const statements: string[] = []
  let start = 0
  for (const { index } of [...ends.matchAll(/;|$/g)]) {
    if (ends.slice(start, index).trim() !== '') statements.push(text.slice(start, index).trim())
    start = index + 1
  }
  return statements
}
