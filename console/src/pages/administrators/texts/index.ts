/** The texts of administrators and their roles. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { type AdministratorTexts, en } from './en.ts'
import { fr } from './fr.ts'

export const administratorTexts: Texts<AdministratorTexts> = { en, de, fr }
