/** The texts of the page "Import". */
import type { Texts } from '../../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type MoveTexts } from './en.ts'
import { fr } from './fr.ts'

export const moveTexts: Texts<MoveTexts> = { en, de, fr }
