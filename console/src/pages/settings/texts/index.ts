/** The texts of settings. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type SettingsTexts } from './en.ts'
import { fr } from './fr.ts'

export const settingsTexts: Texts<SettingsTexts> = { en, de, fr }
