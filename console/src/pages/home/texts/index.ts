/** The texts of the first page. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type HomeTexts } from './en.ts'
import { fr } from './fr.ts'

export const homeTexts: Texts<HomeTexts> = { en, de, fr }
