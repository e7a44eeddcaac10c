/** The texts of the way to a protected app. */
import type { Texts } from '../../../texts/index.tsx'
import { de } from './de.ts'
import { en, type FirstAppTexts } from './en.ts'
import { fr } from './fr.ts'

export const firstAppTexts: Texts<FirstAppTexts> = { en, de, fr }
