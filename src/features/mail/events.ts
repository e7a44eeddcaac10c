/**
 * The mail server that mail leaves through (stream `smtp-config`, owned by the instance), what mails say (stream
 * `message-text`, owned by an organization or the instance) and the development inbox (stream `inbox-mail`, owned by
 * the instance). Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'
import type { CustomParts, MailLanguage, MessageType } from './message-types.ts'

/** What is set of a mail server, but for its password. */
export interface SmtpSettings {
  readonly senderAddress: string
  readonly senderName: string
  /** Empty: answers go to the sender. */
  readonly replyToAddress: string
  /** Implicit TLS on port 465, STARTTLS on every other. */
  readonly tls: boolean
  /** With its port. */
  readonly host: string
  /** Empty: the server asks for no name. */
  readonly user: string
  readonly description: string
}

/** The password for a mail server, sealed; nothing when there is none. */
export interface SealedPassword {
  readonly password?: string
}

export type SmtpConfigEvent =
  | Fact<'smtp_config.added.v1', SmtpSettings & { readonly secret: SealedPassword }>
  /** Without `secret` the password stays. */
  | Fact<'smtp_config.changed.v1', SmtpSettings & { readonly secret?: SealedPassword }>
  | Fact<'smtp_config.password_changed.v1', { readonly secret: SealedPassword }>
  /** The same password, sealed with another key. */
  | Fact<'smtp_config.password_resealed.v1', { readonly secret: SealedPassword }>
  | Fact<'smtp_config.activated.v1', Record<never, never>>
  | Fact<'smtp_config.deactivated.v1', Record<never, never>>
  | Fact<'smtp_config.removed.v1', Record<never, never>>

export type MessageTextEvent =
  | Fact<
      'message_text.set.v1',
      { readonly type: MessageType; readonly language: MailLanguage; readonly parts: CustomParts }
    >
  | Fact<'message_text.reset.v1', Record<never, never>>

export type InboxMailEvent =
  /** `content` is sealed: subject, text and HTML. */
  | Fact<
      'inbox_mail.delivered.v1',
      { readonly to: string; readonly type: MessageType; readonly secret: { readonly content: string } }
    >
  | Fact<'inbox_mail.resealed.v1', { readonly secret: { readonly content: string } }>
  | Fact<'inbox_mail.removed.v1', Record<never, never>>

/** Every type of the unions above, at run time; the compiler sees to it that none is missing and none too many. */
export const mailEventTypes: readonly string[] = Object.keys({
  'smtp_config.added.v1': true,
  'smtp_config.changed.v1': true,
  'smtp_config.password_changed.v1': true,
  'smtp_config.password_resealed.v1': true,
  'smtp_config.activated.v1': true,
  'smtp_config.deactivated.v1': true,
  'smtp_config.removed.v1': true,
  'message_text.set.v1': true,
  'message_text.reset.v1': true,
  'inbox_mail.delivered.v1': true,
  'inbox_mail.resealed.v1': true,
  'inbox_mail.removed.v1': true,
} satisfies Record<(SmtpConfigEvent | MessageTextEvent | InboxMailEvent)['type'], true>)
