/** The texts of the credentials of users. */
import type { Texts } from '../../../../texts/languages.ts'
import { de } from './de.ts'
import { type CredentialTexts, en } from './en.ts'
import { fr } from './fr.ts'

export const credentialTexts: Texts<CredentialTexts> = { en, de, fr }
