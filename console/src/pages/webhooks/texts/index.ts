/** The texts of webhooks. */
import type { Texts } from '../../../texts/languages.ts'
import { de } from './de.ts'
import { en, type WebhookTexts } from './en.ts'
import { fr } from './fr.ts'

export const webhookTexts: Texts<WebhookTexts> = { en, de, fr }
