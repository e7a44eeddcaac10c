/** Values of metadata as the index has them. */

/** The longest searchable value in bytes, which is the limit of the contract for filters. */
export const LONGEST_SEARCHED_VALUE = 200
/** Replaces longer values in the index. It is not base64, so no filter matches it. */
const LONG_VALUE = '-'

/** The search text of an entry with this base64 value. */
export function searchedValue(value: string): string {
  return value.length <= Math.ceil(LONGEST_SEARCHED_VALUE / 3) * 4 ? value : LONG_VALUE
}
