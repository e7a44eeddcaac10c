/** The texts of users and machines. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type UserTexts } from './en.ts'
import { fr } from './fr.ts'

export const userTexts: Texts<UserTexts> = { en, de, fr }
