/**
 * One cell of a CSV file. Spreadsheets take what begins with one of these characters for a formula, which can send the
 * other cells away; an apostrophe before it makes it text. Reading takes the apostrophe away again.
 */

const FORMULA = /^'*[=+\-@\t\r\n]/
const PROTECTED = /^'+[=+\-@\t\r\n]/

/** A cell as it stands in the file, between commas. */
export function writeCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The text that a cell of a file stands for. */
export function readCell(cell: string): string {
  return PROTECTED.test(cell) ? cell.slice(1) : cell
}
