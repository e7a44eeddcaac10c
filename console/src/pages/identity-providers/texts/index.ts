/** The texts of identity providers. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type ProviderTexts } from './en.ts'
import { fr } from './fr.ts'

export const providerTexts: Texts<ProviderTexts> = { en, de, fr }
