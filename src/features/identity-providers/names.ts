/** What may be the name of an identity provider, and when two names are one. */
import { foldText, LONGEST_SEARCH_TEXT } from '../../kernel/fold-text.ts'

/** The key of a name: two names with one key are the same name. */
export function nameKey(name: string): string {
  return foldText(name).replaceAll(/\s+/gu, ' ').trim()
}

/** Why `text` cannot stand on one line; undefined when it can. */
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
