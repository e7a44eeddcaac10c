/** Which texts both databases can store: PostgreSQL cannot store U+0000, and UTF-8 cannot encode half a surrogate pair. */

/** Whether `text` can be stored, compared and given back unchanged by both engines. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

// JSON.stringify escapes exactly these characters; with an even number of backslashes before it, `\u` begins an escape.
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** `isStorableText` for every text inside a value, given as the output of `JSON.stringify`. */
export function isStorableJson(json: string): boolean {
  return !json.includes('\\u') || !UNSTORABLE_ESCAPE.test(json)
}
