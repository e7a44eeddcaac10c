/** The languages in which mails and pages are written. */

/** Their tags (BCP 47), the built-in default first. */
export const SUPPORTED_LANGUAGES = ['en', 'de', 'fr'] as const

export type Language = (typeof SUPPORTED_LANGUAGES)[number]

/** The supported language that a tag asks for, `de` for `de-CH`; undefined when it is none of them. */
export function findLanguage(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split(/[-_]/, 1)
  return SUPPORTED_LANGUAGES.find((language) => language === primary)
}
