/** The languages of the console by tag, with their own names, and the texts of an area in them. */
import { type Sentences, sentencesIn, type Translation } from '../../../src/kernel/sentences.ts'

export type { Sentences } from '../../../src/kernel/sentences.ts'

export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' } as const

export type Language = keyof typeof LANGUAGES

/** The texts of one area in every language. */
export type Texts<Shape> = Readonly<Record<Language, Shape>>

/** The text under a key that comes from elsewhere. */
export function textAt<Text>(all: Readonly<Record<string, Text>>, key: string): Text | undefined {
  return Object.hasOwn(all, key) ? all[key] : undefined
}

interface Translations<English> {
  readonly en: English
  readonly de: Translation<English>
  readonly fr: Translation<English>
}

/** The texts of an area: English from the code, the other languages from data. */
export function texts<const English>({ en, de, fr }: Translations<English>): Texts<Sentences<English>> {
  return {
    en: sentencesIn<English>(en as Translation<English>, 'en'),
    de: sentencesIn<English>(de, 'de'),
    fr: sentencesIn<English>(fr, 'fr'),
  }
}
