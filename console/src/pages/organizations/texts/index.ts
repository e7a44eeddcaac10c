/** The texts of organizations. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type OrganizationTexts } from './en.ts'
import { fr } from './fr.ts'

export const organizationTexts: Texts<OrganizationTexts> = { en, de, fr }
