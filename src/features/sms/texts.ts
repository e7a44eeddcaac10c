/** The texts of text messages. Pure. */

import { DEFAULT_LANGUAGE, type Language, languageOf } from '../../kernel/languages.ts'
import { type Sentences, sentencesIn, type Translation } from '../../kernel/sentences.ts'
import type { SmsTextType } from '../mail/index.ts'
import de from './texts/de.json' with { type: 'json' }
import { en } from './texts/en.ts'
import es from './texts/es.json' with { type: 'json' }
import fr from './texts/fr.json' with { type: 'json' }
import it from './texts/it.json' with { type: 'json' }
import ja from './texts/ja.json' with { type: 'json' }
import nl from './texts/nl.json' with { type: 'json' }
import pl from './texts/pl.json' with { type: 'json' }
import pt from './texts/pt.json' with { type: 'json' }
import zh from './texts/zh.json' with { type: 'json' }

/** Purpose of a text message. */
export type SmsType = keyof typeof en

const TRANSLATIONS: Readonly<Record<Language, Translation<typeof en>>> = { en, de, es, fr, it, nl, pl, pt, ja, zh }

/** The texts of a language. */
export function smsTextsIn(language: Language): Sentences<typeof en> {
  return sentencesIn<typeof en>(TRANSLATIONS[language], language)
}

/** The built-in text with a placeholder for the code. */
export function smsTemplate(type: SmsTextType, language: Language): string {
  return smsTextsIn(language)[type === 'verify_phone' ? 'verify_phone' : 'one_time_code']({ code: '{{.Code}}' })
}

/** The language of a message: that of the tag, else the fallback language, else English. */
export function smsLanguage(tag: string, fallback: string): Language {
  return languageOf(tag) ?? languageOf(fallback) ?? DEFAULT_LANGUAGE
}

/** The custom texts of messages, by what they are for. */
export const CUSTOM_TEXTS: Readonly<Partial<Record<SmsType, SmsTextType>>> = {
  verify_phone: 'verify_phone',
  one_time_code: 'verify_sms_otp',
}

/** The text of a message in the language of the tag, else in the fallback language, else in English. */
export function smsText(type: SmsType, code: string, tag: string, fallback: string): string {
  return smsTextsIn(smsLanguage(tag, fallback))[type]({ code })
}
