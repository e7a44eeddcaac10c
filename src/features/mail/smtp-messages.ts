/** Converts the SMTP server to messages, without its password. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  type EmailProviderSchema,
  EmailProviderState,
  type SMTPConfigSchema,
  SMTPConfigState,
} from '../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { detailsV1 } from '../../module/details.ts'
import type { Document, Written } from '../../store/index.ts'
import type { SetSmtpConfig, SmtpConfig } from './decisions/smtp-config.ts'
import type { SmtpSettings } from './events.ts'

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

/** The SMTP server in the email provider methods. */
export function emailProviderMessage(config: Document<SetSmtpConfig>): MessageInitShape<typeof EmailProviderSchema> {
  const { status, senderAddress, senderName, replyToAddress, tls, host, user, description, secret } = config.state
  const auth =
    user !== '' && secret.password !== undefined
      ? ({ case: 'plain', value: {} } as const)
      : ({ case: 'none', value: {} } as const)
  return {
    id: config.id,
    details: detailsV1(config),
    state: status === 'active' ? EmailProviderState.EMAIL_PROVIDER_ACTIVE : EmailProviderState.EMAIL_PROVIDER_INACTIVE,
    description,
    config: { case: 'smtp', value: { senderAddress, senderName, replyToAddress, tls, host, user, auth } },
  }
}
