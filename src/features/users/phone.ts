/**
 * Phone numbers as people write them, as E.164. The only file that knows the library, whose tables are large and so are
 * loaded with the first number; with `require`, because nobody wants to wait for a number to be read.
 */
import { createRequire } from 'node:module'
import type * as Library from 'libphonenumber-js/min'

const require = createRequire(import.meta.url)

/** Where a number without a country is dialled; existing clients rely on it. */
const HOME = 'CH'

/**
 * The number in E.164 form; undefined when nobody could dial it. Lengths are checked and not ranges: new ranges are given
 * out every month, and a number that is new must not be refused.
 */
export function phoneNumber(text: string): string | undefined {
  const { parsePhoneNumberFromString }: typeof Library = require('libphonenumber-js/min')
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: HOME, extract: false })
  return parsed?.isPossible() && parsed.ext === undefined ? parsed.number : undefined
}
