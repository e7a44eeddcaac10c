/** What mails say when nobody has set anything else. */
import type { MailLanguage, MessageParts, MessageType } from './message-types.ts'
import { german } from './texts/de.ts'
import { english } from './texts/en.ts'
import { french } from './texts/fr.ts'

/** The words around the parts of a mail, which cannot be set. */
export interface Labels {
  readonly code: string
  readonly link: string
  validFor(duration: string): string
}

/** One language. */
export interface LanguageTexts {
  readonly labels: Labels
  readonly messages: Readonly<Record<MessageType, MessageParts>>
}

/** Every language that mails are written in. */
export const BUILT_IN: Readonly<Record<MailLanguage, LanguageTexts>> = { en: english, de: german, fr: french }

const MINUTES_PER_HOUR = 60

/** `90 minutes`, `1 heure`, `72 Stunden`. */
export function formatDuration(minutes: number, language: MailLanguage): string {
  const inHours = minutes % MINUTES_PER_HOUR === 0
  const unit = inHours ? 'hour' : 'minute'
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(inHours ? minutes / MINUTES_PER_HOUR : minutes)
}
