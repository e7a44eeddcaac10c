/** The texts of web keys. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type WebKeyTexts } from './en.ts'
import { fr } from './fr.ts'

export const webKeyTexts: Texts<WebKeyTexts> = { en, de, fr }
