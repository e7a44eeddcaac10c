/** The settings of the mail server as their form has them. */
import type { SMTPConfig } from '../../../../contract/gen/signet/settings/v1/settings_pb.ts'

/** The values of the server; of a new one where there is none. The password is never shown. */
export function valuesOf(server: SMTPConfig | undefined) {
  return {
    host: server?.host ?? '',
    tls: server?.tls ?? true,
    user: server?.user ?? '',
    password: '',
    senderAddress: server?.senderAddress ?? '',
    senderName: server?.senderName ?? '',
    replyToAddress: server?.replyToAddress ?? '',
    description: server?.description ?? '',
  }
}

/** The values of the form. */
export type SmtpValues = ReturnType<typeof valuesOf>
