/** Converts the SMTP server to messages, without its password. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  type EmailProviderSchema,
  type EmailProviderSMTPSchema,
  EmailProviderState,
  type SMTPConfigSchema,
  SMTPConfigState,
} from '../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { refused } from '../../kernel/refusal.ts'
import { detailsV1 } from '../../module/details.ts'
import type { Document, Written } from '../../store/index.ts'
import { isSet, isWebhook, type SetSmtpConfig, type SmtpConfig } from './decisions/smtp-config.ts'
import type { SmtpSettings } from './events.ts'
import { mailRefusals } from './refusals.ts'

/** The common fields of requests for an SMTP server. */
interface SettingsMessage {
  readonly senderAddress: string
  readonly senderName: string
  readonly tls: boolean
  readonly host: string
  readonly user: string
  readonly replyToAddress?: string
  readonly description?: string
}

/** The settings of a request. */
export function settingsOf(message: SettingsMessage): SmtpSettings {
  const { senderAddress, senderName, tls, host, user, replyToAddress = '', description = '' } = message
  return { senderAddress, senderName, replyToAddress, tls, host, user, description }
}

/** Details of what was written; of the document as it was when nothing had to be. */
export function configDetails({ value }: Written<Document<SmtpConfig>>) {
  return detailsV1(value)
}

/** The SMTP server in the SMTP methods. */
export function smtpConfigMessage(config: Document<SetSmtpConfig>): MessageInitShape<typeof SMTPConfigSchema> {
  const { status, senderAddress, senderName, replyToAddress, tls, host, user, description } = config.state
  const state = status === 'active' ? SMTPConfigState.SMTP_CONFIG_ACTIVE : SMTPConfigState.SMTP_CONFIG_INACTIVE
  const settings = { senderAddress, senderName, replyToAddress, tls, host, user, description }
  return { id: config.id, details: detailsV1(config), state, ...settings }
}

/** The SMTP server or a webhook in the email provider methods; `signingKey`: of a webhook, if the caller may know it. */
export function emailProviderMessage(
  config: Document<SmtpConfig>,
  signingKey = '',
): MessageInitShape<typeof EmailProviderSchema> {
  const { id, state } = config
  if (!isSet(state) && !isWebhook(state)) throw refused(mailRefusals, 'mail.smtp_not_found')
  const { EMAIL_PROVIDER_ACTIVE, EMAIL_PROVIDER_INACTIVE } = EmailProviderState
  const about = {
    id,
    details: detailsV1(config),
    state: state.status === 'active' ? EMAIL_PROVIDER_ACTIVE : EMAIL_PROVIDER_INACTIVE,
    description: state.description,
  }
  if (isWebhook(state)) return { ...about, config: { case: 'http', value: { endpoint: state.endpoint, signingKey } } }
  const { senderAddress, senderName, replyToAddress, tls, host, user } = state
  const auth = authOf(state)
  return {
    ...about,
    config: { case: 'smtp', value: { senderAddress, senderName, replyToAddress, tls, host, user, auth } },
  }
}

type Auth = NonNullable<MessageInitShape<typeof EmailProviderSMTPSchema>['auth']>

/** How an SMTP server authenticates, without its secret. */
function authOf({ user, secret, oauth }: SetSmtpConfig): Auth {
  if (oauth !== undefined) {
    const { tokenEndpoint, scopes, clientId } = oauth
    const oauth2Type = { case: 'clientCredentials', value: { clientId } } as const
    return { case: 'xoauth2', value: { tokenEndpoint, scopes: [...scopes], oauth2Type } }
  }
  return user !== '' && secret.password !== undefined ? { case: 'plain', value: {} } : { case: 'none', value: {} }
}
