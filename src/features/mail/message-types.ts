/** The types of emails and the parts of their texts. Pure. */

/** Notices about the security of an account. */
const NOTICE_TYPES = [
  'passkey_added',
  'factor_added',
  'factor_removed',
  'new_browser',
  'email_changed',
  'phone_changed',
  'deletion_requested',
  'approval_requested',
] as const

/** What a notice tells. */
export type NoticeType = (typeof NOTICE_TYPES)[number]

/** The types of emails, in the order of the contract. */
export const MESSAGE_TYPES = [
  'verify_email',
  'password_reset',
  'invitation',
  'passkey_link',
  'one_time_code',
  'password_changed',
  'sign_in_locked',
  ...NOTICE_TYPES,
] as const

/** Texts that are kept under names of their own, for clients that know these messages. */
const FURTHER_TEXTS = ['init', 'verify_phone', 'verify_sms_otp', 'domain_claimed'] as const

/** What a custom text can be for: an email, the text of a text message, or a message that only others send. */
export type TextType = MessageType | (typeof FURTHER_TEXTS)[number]

/** The text of a text message. */
export type SmsTextType = 'verify_phone' | 'verify_sms_otp'

/** Purpose of an email. */
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** Whether a text is that of an email that is sent here. */
export function isMessageType(type: TextType): type is MessageType {
  return MESSAGE_TYPES.some((one) => one === type)
}

/** Whether an email only tells the user of something. */
export function isNotice(type: TextType): boolean {
  return type === 'password_changed' || type === 'sign_in_locked' || NOTICE_TYPES.some((notice) => notice === type)
}

/** What a message in the development inbox is for; the last is of text messages alone. */
export type InboxType = MessageType | 'verify_phone'

/** The parts of an email, with placeholders. */
export interface MessageParts {
  readonly subject: string
  readonly title: string
  readonly greeting: string
  readonly text: string
  readonly buttonText: string
  readonly footer: string
}

/** The custom parts. `html` is a whole page that replaces the built-in one. */
export type CustomParts = Partial<MessageParts> & {
  readonly html?: string
  /** The line that mail programs show beside the subject. */
  readonly preHeader?: string
}

/** The names of all parts that can be customized. */
export const PART_NAMES = ['subject', 'title', 'greeting', 'text', 'buttonText', 'footer', 'html', 'preHeader'] as const

/** The labels around the parts of an email, which cannot be customized. */
export interface Labels {
  readonly code: string
  readonly link: string
  /** With the value `duration`. */
  readonly validFor: string
}

/** The built-in texts of one language. */
export interface LanguageTexts {
  readonly labels: Labels
  readonly messages: Readonly<Record<MessageType, MessageParts>>
}
