/** Phone numbers as people write them, as E.164. The only file that knows the library. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Where a number without a country is dialled; existing clients rely on it. */
const HOME = 'CH'

/**
 * The number in E.164 form; undefined when nobody could dial it. Lengths are checked and not ranges: new ranges are given
 * out every month, and a number that is new must not be refused.
 */
export const phoneNumber = (text: string): string | undefined => {
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: HOME, extract: false })
  return parsed?.isPossible() && parsed.ext === undefined ? parsed.number : undefined
}
