/** The texts of the building blocks. */
import type { Texts } from '../../texts/languages.ts'
import { de } from './de.ts'
import { en, type PartsTexts } from './en.ts'
import { fr } from './fr.ts'

export const partsTexts: Texts<PartsTexts> = { en, de, fr }
