/** The built-in texts of emails, by language. Pure. */
import type { Language } from '../../kernel/languages.ts'
import type { LanguageTexts, MessageParts, MessageType } from './message-types.ts'
import { german } from './texts/de.ts'
import { english } from './texts/en.ts'
import { spanish } from './texts/es.ts'
import { french } from './texts/fr.ts'
import { italian } from './texts/it.ts'
import { japanese } from './texts/ja.ts'
import { dutch } from './texts/nl.ts'
import { polish } from './texts/pl.ts'
import { portuguese } from './texts/pt.ts'
import { chinese } from './texts/zh.ts'

/** The texts of all languages. */
export const BUILT_IN: Readonly<Record<Language, LanguageTexts>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pl: polish,
  pt: portuguese,
  ja: japanese,
  zh: chinese,
}

/** The parts of a type in a language. */
export function builtInParts(type: MessageType, language: Language): MessageParts {
  return BUILT_IN[language].messages[type]
}
