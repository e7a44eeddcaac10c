/** Every refusal about mail. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const mailRefusals = {
  'mail.smtp_exists': ['conflict', 'A mail server is already set; remove it first, or change it.'],
  'mail.smtp_not_found': ['not_found', 'There is no such mail server.'],
  'mail.smtp_id_taken': ['conflict', 'This id of a mail server is, or was, in use.'],
  'mail.smtp_invalid': ['invalid', 'The mail server cannot be set like this.'],
  'mail.smtp_unchanged': ['precondition', 'Nothing of the mail server would change.'],
  'mail.smtp_active': ['precondition', 'The mail server is already active.'],
  'mail.smtp_inactive': ['precondition', 'The mail server is not active.'],
  'mail.test_failed': ['precondition', 'The test mail could not be sent.'],
  'mail.address_invalid': ['invalid', 'This is not an e-mail address.'],
  'mail.text_invalid': ['invalid', 'The text cannot be used in this mail.'],
  'mail.text_not_set': ['not_found', 'No text is set there.'],
  'mail.language_unsupported': ['invalid', 'Mails are not written in this language.'],
  'mail.inbox_mail_not_found': ['not_found', 'There is no such mail in the inbox.'],
  'mail.inbox_mail_exists': ['conflict', 'This mail is, or was, in the inbox.'],
} as const satisfies Catalogue

/** A code of this module. */
export type MailRefusal = keyof typeof mailRefusals
