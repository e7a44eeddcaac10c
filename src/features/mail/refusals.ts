/** Refusals about mail. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const mailRefusals = {
  'mail.smtp_exists': ['conflict', 'A mail server is already configured. Update it, or remove it first.'],
  'mail.smtp_not_found': ['not_found', 'The mail server does not exist.'],
  'mail.smtp_id_taken': ['conflict', 'The mail server ID is already taken.'],
  'mail.smtp_invalid': ['invalid', 'The mail server settings are invalid.'],
  'mail.smtp_unchanged': ['precondition', 'The request does not change the mail server.'],
  'mail.smtp_active': ['precondition', 'The mail server is already active.'],
  'mail.smtp_inactive': ['precondition', 'The mail server is not active.'],
  'mail.other_active': ['conflict', 'Another email provider is active.'],
  'mail.endpoint_invalid': ['invalid', 'The email provider endpoint is invalid.'],
  'mail.test_failed': ['precondition', 'The test email could not be sent.'],
  'mail.address_invalid': ['invalid', 'The email address is invalid.'],
  'mail.text_invalid': ['invalid', 'The message text is invalid.'],
  'mail.text_not_set': ['not_found', 'No custom text is set for this message.'],
  'mail.language_unsupported': ['invalid', 'Email texts do not support this language.'],
  'mail.inbox_mail_not_found': ['not_found', 'The email is not in the inbox.'],
  'mail.inbox_mail_exists': ['conflict', 'The inbox already has an email with this ID.'],
} as const satisfies Catalogue

/** A code of this module. */
export type MailRefusal = keyof typeof mailRefusals
