/** Validates and compares names of organizations and projects. */
import { foldText } from './fold-text.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]|[\p{Zl}\p{Zp}\p{Cf}\p{Cn}\p{Co}]/u

/** Longest key, in UTF-16 units: an index entry has a limit. */
const LONGEST_KEY = 600

/** The key of a name. Names with the same key are equal. */
export function nameKey(name: string): string {
  return foldText(name).replaceAll(/\s+/gu, ' ').trim()
}

/** Why `name` cannot be the name of an organization or a project; undefined when it can. */
export function nameProblem(name: string): string | undefined {
  if (!name.isWellFormed() || CONTROL.test(name)) return 'must not contain control or invisible characters'
  const key = nameKey(name)
  if (key === '') return 'must not be empty'
  return key.length > LONGEST_KEY ? 'is too long when written without ligatures' : undefined
}
