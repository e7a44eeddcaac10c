/** The languages of the hosted pages, emails and text messages. The console has fewer, see `console/src/texts`. Pure. */

/** Their tags (BCP 47) with their own names: the built-in default first, the others by name. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português (Brasil)',
  ja: '日本語',
  zh: '简体中文',
} as const

export type Language = keyof typeof LANGUAGES

/** The tags alone. */
export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as readonly Language[]

export const DEFAULT_LANGUAGE = 'en' satisfies Language

/** The tag of an undetermined language (BCP 47). */
export const UNDETERMINED = 'und'

/** The language of a tag, whatever its region and script: `de` for `de-AT`; undefined when there is none. */
export function languageOf(tag: string): Language | undefined {
  const [primary] = tag.trim().toLowerCase().split(/[-_]/, 1)
  return LANGUAGE_TAGS.find((language) => language === primary)
}
