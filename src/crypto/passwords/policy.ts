/** The password policy: pure rules over a password, the settings, and the words that belong to its owner (SP 800-63B-4). */
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

/** Length and a list instead of composition rules. */
export const DEFAULT_PASSWORD_POLICY: PasswordPolicy = Object.freeze({
  minLength: 8,
  maxLength: 200,
  needsLowercase: false,
  needsUppercase: false,
  needsNumber: false,
  needsSymbol: false,
})

/** What is wrong with a password; pages translate these words. */
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
/** A name with up to this many letters or digits and as many symbols around it is still the name: "ada.lovelace!2026". */
const MOST_DECORATION = 4

/** The names themselves and their parts: both sides of an address, first and last name. */
function listOwnWords(words: readonly string[]): string[] {
  const parts = words.flatMap((word) => [word, ...fold(word).split(/[^\p{L}\p{M}\p{N}]+/u), ...word.split('@')])
  const distinct = new Set(parts.map(squeeze).filter((word) => countCodePoints(word) >= LEAST_WORD_LENGTH))
  return [...distinct]
}

function isOwnName(password: string, words: readonly string[]): boolean {
  // A login name may be too short to be worth looking for inside a password, but it is not a password either.
  if (words.some((word) => word !== '' && fold(word) === fold(password))) return true
  const bare = squeeze(password)
  const symbols = countCodePoints(fold(password)) - countCodePoints(bare)
  return listOwnWords(words).some((word) => {
    const rest = countCodePoints(bare.replaceAll(word, ''))
    return bare.includes(word) && rest <= MOST_DECORATION && symbols <= MOST_DECORATION
  })
}

/**
 * Everything that is wrong with a password; an empty list means that it may be used. `ownWords` are the user's
 * names, login name, addresses, and the names of organization and service.
 */
export function checkPassword(
  password: string,
  policy: PasswordPolicy = DEFAULT_PASSWORD_POLICY,
  ownWords: readonly string[] = [],
): readonly PasswordFlaw[] {
  // A string of so many UTF-16 units has too many code points; do not walk through a megabyte to count them.
  if (password.length > 2 * policy.maxLength) return ['too_long']
  const normal = password.normalize('NFKC')
  const length = countCodePoints(password)
  const flaws: readonly (readonly [PasswordFlaw, boolean])[] = [
    // Composition can shorten a password, and the composed form is what is hashed.
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
