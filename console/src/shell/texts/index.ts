/** The texts of the frame. */
import type { Texts } from '../../texts/languages.ts'
import { de } from './de.ts'
import { en, type ShellTexts } from './en.ts'
import { fr } from './fr.ts'

export const shellTexts: Texts<ShellTexts> = { en, de, fr }
