/** Validates and compares names of identity providers. */
import { foldText, LONGEST_SEARCH_TEXT } from '../../kernel/fold-text.ts'

/** The key of a name. Names with the same key are equal. */
export function nameKey(name: string): string {
  return foldText(name).replaceAll(/\s+/gu, ' ').trim()
}

/** Why `text` is not a single line of text; undefined when it is. */
export function lineProblem(text: string): string | undefined {
  return !text.isWellFormed() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)
    ? 'must not contain control or invisible characters'
    : undefined
}

/** Why `name` cannot be the name of a provider; undefined when it can. */
export function nameProblem(name: string): string | undefined {
  const key = nameKey(name)
  if (key === '') return 'must not be empty'
  return key.length > LONGEST_SEARCH_TEXT ? 'is too long when written without ligatures' : lineProblem(name)
}
