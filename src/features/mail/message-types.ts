/** What mails are for, which values their texts may name, and in which languages they are written. Pure. */

/** The types of mail, in the order of the contract. */
export const MESSAGE_TYPES = [
  'verify_email',
  'password_reset',
  'invitation',
  'passkey_link',
  'one_time_code',
  'password_changed',
] as const

/** What a mail is for. */
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** What a message in the development inbox is for; the last is of text messages alone. */
export type InboxType = MessageType | 'verify_phone'

/** The languages that mails are written in. */
export const MAIL_LANGUAGES = ['en', 'de', 'fr'] as const

/** A language that mails are written in. */
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

/** The language of a tag (BCP 47), `de` for `de-CH`; undefined when mails are not written in it. */
export function mailLanguageOf(tag: string): MailLanguage | undefined {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/)
  return MAIL_LANGUAGES.find((language) => language === primary)
}

/** The parts of a mail, as they are written with places for values. */
export interface MessageParts {
  readonly subject: string
  readonly title: string
  readonly greeting: string
  readonly text: string
  readonly buttonText: string
  readonly footer: string
}

/** The parts that were set; `html` is a whole page in place of the built-in one. */
export type CustomParts = Partial<MessageParts> & { readonly html?: string }

/** The names of all parts that can be set. */
export const PART_NAMES = ['subject', 'title', 'greeting', 'text', 'buttonText', 'footer', 'html'] as const

/** The words around the parts of a mail, which cannot be set. */
export interface Labels {
  readonly code: string
  readonly link: string
  validFor(duration: string): string
}

/** What mails say in one language when nothing else is set. */
export interface LanguageTexts {
  readonly labels: Labels
  readonly messages: Readonly<Record<MessageType, MessageParts>>
}
