/** The texts of the audit. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { type AuditTexts, en } from './en.ts'
import { fr } from './fr.ts'

export const auditTexts: Texts<AuditTexts> = { en, de, fr }
