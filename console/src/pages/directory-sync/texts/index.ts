/** The texts of directory sync. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { type DirectorySyncTexts, en } from './en.ts'
import { fr } from './fr.ts'

export const directorySyncTexts: Texts<DirectorySyncTexts> = { en, de, fr }
