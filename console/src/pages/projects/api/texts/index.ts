/** The texts of the API of a project. */
import type { Texts } from '../../../../texts/languages.ts'
import { de } from './de.ts'
import { type ApiTexts, en } from './en.ts'
import { fr } from './fr.ts'

export const apiTexts: Texts<ApiTexts> = { en, de, fr }
