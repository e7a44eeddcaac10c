/** The words for sign-ins. */
import type { Texts } from '../../texts/languages.ts'
import { de } from './de.ts'
import { en, type SignInWords } from './en.ts'
import { fr } from './fr.ts'

export const signInWords: Texts<SignInWords> = { en, de, fr }
