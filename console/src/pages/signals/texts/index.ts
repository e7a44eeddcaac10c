/** The texts of shared signals. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type SignalTexts } from './en.ts'
import { fr } from './fr.ts'

export const signalTexts: Texts<SignalTexts> = { en, de, fr }
