/** The texts of groups. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type GroupTexts } from './en.ts'
import { fr } from './fr.ts'

export const groupTexts: Texts<GroupTexts> = { en, de, fr }
