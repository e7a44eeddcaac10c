/** The texts of mail. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type MailTexts } from './en.ts'
import { fr } from './fr.ts'

export const mailTexts: Texts<MailTexts> = { en, de, fr }
