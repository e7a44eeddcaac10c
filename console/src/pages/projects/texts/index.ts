/** The texts of projects. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type ProjectTexts } from './en.ts'
import { fr } from './fr.ts'

export const projectTexts: Texts<ProjectTexts> = { en, de, fr }
