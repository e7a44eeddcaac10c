/** The texts of actions. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { type ActionTexts, en } from './en.ts'
import { fr } from './fr.ts'

export const actionTexts: Texts<ActionTexts> = { en, de, fr }
