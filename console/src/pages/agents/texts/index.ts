/** The texts about agents. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { type AgentTexts, en } from './en.ts'
import { fr } from './fr.ts'

export const agentTexts: Texts<AgentTexts> = { en, de, fr }
