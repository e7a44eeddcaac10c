/** The password policy: pure rules for a password, the settings, and words related to the user (SP 800-63B-4). */
import { isCommonPassword } from './common-passwords.ts'

/** The settings of an instance or organization. */
export interface PasswordPolicy {
  /** Lengths are counted in Unicode code points. */
  readonly minLength: number
  readonly maxLength: number
  readonly needsLowercase: boolean
  readonly needsUppercase: boolean
  readonly needsNumber: boolean
  readonly needsSymbol: boolean
}

/** Minimum length and a list of common passwords instead of composition rules. */
export const DEFAULT_PASSWORD_POLICY: PasswordPolicy = Object.freeze({
  minLength: 8,
  maxLength: 200,
  needsLowercase: false,
  needsUppercase: false,
  needsNumber: false,
  needsSymbol: false,
})

/** What is wrong with a password. Pages translate these codes. */
export type PasswordFlaw =
  | 'too_short'
  | 'too_long'
  | 'no_lowercase'
  | 'no_uppercase'
  | 'no_number'
  | 'no_symbol'
  | 'common'
  | 'own_name'

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** Letters and digits only, so that "Ada.Lovelace" and "ada lovelace!" are the same name. */
function squeeze(text: string): string {
  return fold(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '')
}

function countCodePoints(text: string): number {
  return [...text].length
}

const LEAST_WORD_LENGTH = 4
/** A name with up to this many letters or digits and as many symbols around it is still a name: "ada.lovelace!2026". */
const MOST_DECORATION = 4

/** The names and their parts: both sides of an email address, first and last name. */
function listOwnWords(words: readonly string[]): string[] {
  const parts = words.flatMap((word) => [word, ...fold(word).split(/[^\p{L}\p{M}\p{N}]+/u), ...word.split('@')])
  const distinct = new Set(parts.map(squeeze).filter((word) => countCodePoints(word) >= LEAST_WORD_LENGTH))
  return [...distinct]
}

function isOwnName(password: string, words: readonly string[]): boolean {
  // A login name can be too short to search for inside a password, but it must not be the password itself.
  if (words.some((word) => word !== '' && fold(word) === fold(password))) return true
  const bare = squeeze(password)
  const symbols = countCodePoints(fold(password)) - countCodePoints(bare)
  return listOwnWords(words).some((word) => {
    const rest = countCodePoints(bare.replaceAll(word, ''))
    return bare.includes(word) && rest <= MOST_DECORATION && symbols <= MOST_DECORATION
  })
}

/**
 * All flaws of a password; an empty list means that it is allowed. `ownWords` are the user's names, login name and
 * addresses, and the names of organization and service.
 */
export function checkPassword(
  password: string,
  policy: PasswordPolicy = DEFAULT_PASSWORD_POLICY,
  ownWords: readonly string[] = [],
): readonly PasswordFlaw[] {
  // A string of this many UTF-16 units has too many code points. Skips counting a megabyte.
  if (password.length > 2 * policy.maxLength) return ['too_long']
  const normal = password.normalize('NFKC')
  const length = countCodePoints(password)
  const flaws: readonly (readonly [PasswordFlaw, boolean])[] = [
    // Normalization can shorten a password, and the normalized form is hashed.
    ['too_short', Math.min(length, countCodePoints(normal)) < policy.minLength],
    ['too_long', length > policy.maxLength],
    ['no_lowercase', policy.needsLowercase && !/\p{Ll}/u.test(normal)],
    ['no_uppercase', policy.needsUppercase && !/\p{Lu}/u.test(normal)],
    ['no_number', policy.needsNumber && !/\p{N}/u.test(normal)],
    ['no_symbol', policy.needsSymbol && !/[^\p{L}\p{M}\p{N}]/u.test(normal)],
    ['common', isCommonPassword(password)],
    ['own_name', isOwnName(password, ownWords)],
  ]
  return flaws.filter(([, applies]) => applies).map(([flaw]) => flaw)
}

/** The flaw as an English sentence for API clients. */
export function describePasswordFlaw(flaw: PasswordFlaw, policy: PasswordPolicy = DEFAULT_PASSWORD_POLICY): string {
  return {
    too_short: `The password must have at least ${policy.minLength} characters.`,
    too_long: `The password must have at most ${policy.maxLength} characters.`,
    no_lowercase: 'The password must contain a lowercase letter.',
    no_uppercase: 'The password must contain an uppercase letter.',
    no_number: 'The password must contain a number.',
    no_symbol: 'The password must contain a symbol.',
    common: 'This password is too common.',
    own_name: 'The password must not be made of your own name, login name, address or organization.',
  }[flaw]
}
