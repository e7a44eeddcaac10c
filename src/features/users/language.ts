/** Language tags (BCP 47, RFC 5646). */

/** The tag as the standard writes it (`de-CH`), empty for none; undefined when it is not a tag. */
export function languageTag(text: string): string | undefined {
  if (text === '') return ''
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    return undefined
  }
}
