/** The texts of branding. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { type BrandingTexts, en } from './en.ts'
import { fr } from './fr.ts'

export const brandingTexts: Texts<BrandingTexts> = { en, de, fr }
