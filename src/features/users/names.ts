/**
 * Validates and compares names. The key of a username never changes: it consists only of assigned code points, whose
 * normal form and case are the same in all later versions of Unicode.
 */
import { foldText, LONGEST_SEARCH_TEXT } from '../../kernel/fold-text.ts'

/** Most texts are ASCII; only the others are checked character by character. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const OTHER_SPACE = /[^\P{Zs} ]/u
const WORD = /[\p{L}\p{M}]+/gu
/** Scripts with letters that look alike. A word with two of them can be deceptive (UTS 39, 5.2). */
const ALIKE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
]

function mixesAlikeScripts(text: string): boolean {
  return (text.match(WORD) ?? []).some((word) => ALIKE_SCRIPTS.filter((script) => script.test(word)).length > 1)
}

/** Why `name` cannot be a username, for the caller; undefined when it can. */
export function nameProblem(name: string): string | undefined {
  if (name.length === 0) return 'must not be empty'
  if (name.startsWith(' ') || name.endsWith(' ')) return 'must not begin or end with a space'
  if (PRINTABLE_ASCII.test(name)) return undefined
  // Checks the key instead of the text, because a normal form can contain a space or a filler that the text does not.
  const key = foldText(name)
  if (FORBIDDEN.test(key) || OTHER_SPACE.test(key)) {
    return 'must not contain control, invisible, direction, private or unassigned characters'
  }
  if (key.trim() !== key) return 'must not begin or end with a space'
  if (/^\p{M}/u.test(key)) return 'must not begin with a combining mark'
  if (mixesAlikeScripts(key)) return 'must not mix scripts that look alike in one word'
  if (key.length > LONGEST_SEARCH_TEXT) return 'is too long when written without ligatures'
  return undefined
}

/** The key of a username. Names with the same key are equal. Undefined when it is not a valid username. */
export function canonicalName(name: string): string | undefined {
  return nameProblem(name) === undefined ? foldText(name) : undefined
}

/** Why `text` cannot be a name on one line; undefined when it can. */
export function lineProblem(text: string): string | undefined {
  return !PRINTABLE_ASCII.test(text) && (!text.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
    ? 'must not contain control characters'
    : undefined
}

/** Why `text` cannot be a paragraph; undefined when it can. Tabs and line breaks are allowed. */
export function paragraphProblem(text: string): string | undefined {
  return !PRINTABLE_ASCII.test(text) && (!text.isWellFormed() || /(?![\t\n\r])\p{Cc}/u.test(text))
    ? 'must not contain control characters'
    : undefined
}
