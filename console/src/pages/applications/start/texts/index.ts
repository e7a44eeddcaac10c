/** The texts of the first steps with an application. */
import type { Texts } from '../../../../texts/index.tsx'
import { de } from './de.ts'
import { en, type StartTexts } from './en.ts'
import { fr } from './fr.ts'

export const startTexts: Texts<StartTexts> = { en, de, fr }
