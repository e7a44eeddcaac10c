/** The texts of what users may do and what is stored about them. */
import type { Texts } from '../../../../texts/languages.ts'
import { de } from './de.ts'
import { type AccessTexts, en } from './en.ts'
import { fr } from './fr.ts'

export const accessTexts: Texts<AccessTexts> = { en, de, fr }
