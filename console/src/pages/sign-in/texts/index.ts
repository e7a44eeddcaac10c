/** The texts of sign-in settings. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type SignInTexts } from './en.ts'
import { fr } from './fr.ts'

export const signInTexts: Texts<SignInTexts> = { en, de, fr }
