/**
 * The SMTP server and webhooks for emails. Claims of their kind ensure that there is only one SMTP server, and that only one
 * of all is active; the settings of an SMTP server are validated before. Pure.
 */
import { isProvider, messageProviders, type Provider, sameMembers } from '../../../kernel/message-provider.ts'
import type { SealedKey, SealedPassword, SmtpConfigEvent, SmtpSettings } from '../events.ts'
import type { MailRefusal } from '../refusals.ts'

/** A configured SMTP server. `status` tells whether it is active. */
export interface SetSmtpConfig extends SmtpSettings {
  readonly type: 'smtp'
  readonly status: 'active' | 'inactive'
  readonly secret: SealedPassword
}

/** A webhook. Emails are posted to it when it is active. */
export interface EmailWebhook {
  readonly type: 'http'
  readonly status: 'active' | 'inactive'
  readonly endpoint: string
  readonly description: string
  readonly secret: SealedKey
}

type EmailProvider = SetSmtpConfig | EmailWebhook

export type SmtpConfig = Provider<EmailProvider>

/** Whether a mail server is set, active or not. */
export function isSet(state: SmtpConfig): state is SetSmtpConfig {
  return isProvider(state) && state.type === 'smtp'
}

/** Whether this is a webhook, active or not. */
export function isWebhook(state: SmtpConfig): state is EmailWebhook {
  return isProvider(state) && state.type === 'http'
}

const hasSameMembers = sameMembers(
  'senderAddress',
  'senderName',
  'replyToAddress',
  'tls',
  'host',
  'user',
  'description',
)

/** Whether access tokens come from the same place for the same client. */
export function isSameOAuth(one: SmtpSettings, other: SmtpSettings): boolean {
  const { tokenEndpoint, clientId, scopes = [] } = one.oauth ?? {}
  const { oauth } = other
  if (tokenEndpoint !== oauth?.tokenEndpoint || clientId !== oauth?.clientId) return false
  return scopes.join(' ') === (oauth?.scopes ?? []).join(' ')
}

export const { decider: smtpConfig, sealed: sealedOf } = messageProviders<EmailProvider, SmtpConfigEvent, MailRefusal>(
  { taken: 'mail.smtp_id_taken', notFound: 'mail.smtp_not_found', inactive: 'mail.smtp_inactive' },
  {
    type: 'smtp',
    member: 'password',
    // It is active from the start, so clients that add one and activate it change nothing.
    starts: 'active',
    events: {
      added: 'smtp_config.added.v1',
      changed: 'smtp_config.changed.v1',
      secretChanged: 'smtp_config.password_changed.v1',
      resealed: 'smtp_config.password_resealed.v1',
      activated: 'smtp_config.activated.v1',
      deactivated: 'smtp_config.deactivated.v1',
      removed: 'smtp_config.removed.v1',
    },
    isSame: (one, other) => hasSameMembers(one, other) && isSameOAuth(one, other),
    unchanged: 'mail.smtp_unchanged',
  },
  {
    type: 'http',
    member: 'signingKey',
    starts: 'inactive',
    events: {
      added: 'email_webhook.added.v1',
      changed: 'email_webhook.changed.v1',
      resealed: 'email_webhook.key_resealed.v1',
      activated: 'email_webhook.activated.v1',
      deactivated: 'email_webhook.deactivated.v1',
      removed: 'email_webhook.removed.v1',
    },
    isSame: sameMembers('endpoint', 'description'),
    alreadyActive: 'mail.smtp_active',
  },
)
