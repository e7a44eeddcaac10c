/**
 * The mail server and the webhooks for emails (stream `smtp-config`, owned by the instance), the custom texts of mails (stream `message-text`, owned
 * by an organization or the instance) and the development inbox (stream `inbox-mail`, owned by
 * the instance). Add to this file; never change or remove a line that has shipped (see test/golden).
 */

import type { Reach } from '../../access/paths.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Language } from '../../kernel/languages.ts'
import type { CustomParts, InboxType, TextType } from './message-types.ts'

/** Where the access tokens for an SMTP server come from (XOAUTH2), except the secret of the client. */
export interface SmtpOAuth {
  readonly tokenEndpoint: string
  readonly scopes: readonly string[]
  readonly clientId: string
}

/** The settings of an SMTP server, except its password. */
export interface SmtpSettings {
  readonly senderAddress: string
  readonly senderName: string
  /** If empty, replies go to the sender. */
  readonly replyToAddress: string
  /** Implicit TLS on port 465, STARTTLS on all other ports. */
  readonly tls: boolean
  /** Host and port. */
  readonly host: string
  /** Empty if the server requires no authentication. */
  readonly user: string
  readonly description: string
  /** Not given: the server authenticates with a password, or not at all. */
  readonly oauth?: SmtpOAuth
}

/** The encrypted password of an SMTP server, with `oauth` the client secret; empty when there is none. */
export interface SealedPassword {
  readonly password?: string
}

/** The encrypted key that signs requests to a webhook. */
export interface SealedKey {
  readonly signingKey: string
}

export const smtpConfigEvents = declareEvents({
  'smtp_config.added.v1': data<SmtpSettings & { readonly secret: SealedPassword }>(),
  /** Without `secret`, the password does not change. */
  'smtp_config.changed.v1': data<SmtpSettings & { readonly secret?: SealedPassword }>(),
  'smtp_config.password_changed.v1': data<{ readonly secret: SealedPassword }>(),
  /** An unchanged password, encrypted with another key. */
  'smtp_config.password_resealed.v1': data<{ readonly secret: SealedPassword }>(),
  'smtp_config.activated.v1': data(),
  'smtp_config.deactivated.v1': data(),
  'smtp_config.removed.v1': data(),
  'email_webhook.added.v1': data<{
    readonly endpoint: string
    readonly description: string
    readonly secret: SealedKey
  }>(),
  /** Without `secret`, the signing key does not change. */
  'email_webhook.changed.v1': data<{
    readonly endpoint: string
    readonly description: string
    readonly secret?: SealedKey
  }>(),
  /** An unchanged signing key, encrypted with another key. */
  'email_webhook.key_resealed.v1': data<{ readonly secret: SealedKey }>(),
  'email_webhook.activated.v1': data(),
  'email_webhook.deactivated.v1': data(),
  'email_webhook.removed.v1': data(),
})

export type SmtpConfigEvent = EventOf<typeof smtpConfigEvents>

export const messageTextEvents = declareEvents({
  'message_text.set.v1': data<{
    readonly type: TextType
    readonly language: Language
    readonly parts: CustomParts
    /** How far whoever set it reached; not given: as far as an owner. */
    readonly reach?: Reach
  }>(),
  'message_text.reset.v1': data(),
})

export type MessageTextEvent = EventOf<typeof messageTextEvents>

export const inboxMailEvents = declareEvents({
  /** `content` is encrypted: subject, text and HTML. */
  'inbox_mail.delivered.v1': data<{
    readonly to: string
    readonly type: InboxType
    readonly secret: { readonly content: string }
  }>(),
  'inbox_mail.resealed.v1': data<{ readonly secret: { readonly content: string } }>(),
  'inbox_mail.removed.v1': data(),
})

export type InboxMailEvent = EventOf<typeof inboxMailEvents>
