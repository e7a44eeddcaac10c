/** The languages of emails and pages. */

/** Their tags (BCP 47), the built-in default first. */
export const SUPPORTED_LANGUAGES = ['en', 'de', 'fr'] as const

export type Language = (typeof SUPPORTED_LANGUAGES)[number]

/** The supported language of a tag, such as `de` for `de-CH`; undefined when there is none. */
export function findLanguage(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split(/[-_]/, 1)
  return SUPPORTED_LANGUAGES.find((language) => language === primary)
}
