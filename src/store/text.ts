/** Which texts both databases can hold: PostgreSQL knows no U+0000, and UTF-8 no half of a surrogate pair. */

/** Whether `text` can be stored, compared and given back unchanged by both engines. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

// JSON.stringify escapes exactly the characters we look for; an even number of backslashes before is text, not escape.
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** The same for a text made by `JSON.stringify`. */
export function isStorableJson(json: string): boolean {
  return !json.includes('\\u') || !UNSTORABLE_ESCAPE.test(json)
}
