/** The texts of service providers of SAML. */
import type { Texts } from '../../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type SamlTexts } from './en.ts'
import { fr } from './fr.ts'

export const samlTexts: Texts<SamlTexts> = { en, de, fr }
