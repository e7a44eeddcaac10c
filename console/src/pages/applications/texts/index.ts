/** The texts of applications. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { type ApplicationTexts, en } from './en.ts'
import { fr } from './fr.ts'

export const applicationTexts: Texts<ApplicationTexts> = { en, de, fr }
