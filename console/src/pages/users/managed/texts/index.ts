/** The texts about what a directory manages. */
import type { Texts } from '../../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type ManagedTexts } from './en.ts'
import { fr } from './fr.ts'

export const managedTexts: Texts<ManagedTexts> = { en, de, fr }
