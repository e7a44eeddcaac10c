/** The texts of SMS providers. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type SmsTexts } from './en.ts'
import { fr } from './fr.ts'

export const smsTexts: Texts<SmsTexts> = { en, de, fr }
