/**
 * What codes of a kind look like and how long they are valid. Letters are compared whatever their case is, so capital ones
 * stand for both. Codes can become longer than the built-in ones, never easier to guess. Pure.
 */

import type { SettingsRefusal } from './refusals.ts'
import type { Generator, GeneratorName } from './values.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const LETTERS = { hasLower: false, hasUpper: true, hasDigits: true, hasSymbols: false }
const DIGITS = { hasLower: false, hasUpper: false, hasDigits: true, hasSymbols: false }

/** The built-in generators. The secrets of applications are what they are: 256 bits, until they are replaced. */
export const BUILT_IN_GENERATORS: Readonly<Record<GeneratorName, Generator>> = Object.freeze({
  init_code: { length: 6, expiryMs: 72 * HOUR, ...LETTERS },
  verify_email: { length: 6, expiryMs: HOUR, ...LETTERS },
  verify_phone: { length: 6, expiryMs: HOUR, ...LETTERS },
  password_reset: { length: 6, expiryMs: HOUR, ...LETTERS },
  passkey_link: { length: 16, expiryMs: HOUR, ...LETTERS },
  app_secret: { length: 43, expiryMs: 0, hasLower: true, hasUpper: true, hasDigits: true, hasSymbols: true },
  otp_sms: { length: 8, expiryMs: 5 * MINUTE, ...DIGITS },
  otp_email: { length: 8, expiryMs: 5 * MINUTE, ...DIGITS },
  invite_code: { length: 6, expiryMs: 72 * HOUR, ...LETTERS },
})

const LONGEST = 64
const LETTER_BITS = 5
const DIGIT_BITS = Math.log2(10)

/** The longest validity of a code: a week, for what is sent to sign in ten minutes. */
const LONGEST_EXPIRY: Readonly<Partial<Record<GeneratorName, number>>> = {
  otp_sms: 10 * MINUTE,
  otp_email: 10 * MINUTE,
}

function bitsOf({ length, hasLower, hasUpper }: Generator): number {
  return length * (hasLower || hasUpper ? LETTER_BITS : DIGIT_BITS)
}

/** Why codes cannot be made like this; undefined when they can. */
export function generatorProblem(name: GeneratorName, value: Generator): SettingsRefusal | undefined {
  const builtIn = BUILT_IN_GENERATORS[name]
  if (name === 'app_secret') {
    const members = Object.keys(builtIn) as (keyof Generator)[]
    return members.every((member) => value[member] === builtIn[member]) ? undefined : 'settings.generator_fixed'
  }
  if (value.hasSymbols) return 'settings.generator_symbols'
  const isTypedAtSignIn = name === 'otp_sms' || name === 'otp_email'
  if (isTypedAtSignIn && (value.hasLower || value.hasUpper)) return 'settings.generator_digits'
  const isCode = value.hasLower || value.hasUpper || value.hasDigits
  if (!isCode || value.length > LONGEST || bitsOf(value) < bitsOf(builtIn)) return 'settings.generator_weak'
  const isTimely = value.expiryMs >= MINUTE && value.expiryMs <= (LONGEST_EXPIRY[name] ?? 7 * DAY)
  return isTimely ? undefined : 'settings.generator_expiry'
}

/** Whether codes consist of digits alone. */
export function isOfDigits({ hasLower, hasUpper }: Generator): boolean {
  return !hasLower && !hasUpper
}
