/** The settings of the mail server as their form has them. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { AddEmailProviderSMTPRequestSchema } from '../../../../contract/gen/signet/admin/v1/email_pb.ts'
import type { EmailProvider, EmailProviderSMTP } from '../../../../contract/gen/signet/settings/v1/settings_pb.ts'

/** How a mail server authenticates: not at all or with a password, or with access tokens. */
export type Login = 'password' | 'token'

/** The SMTP server of an email provider; undefined if it is a webhook. */
export function smtpOf(provider: EmailProvider | undefined): EmailProviderSMTP | undefined {
  return provider?.config.case === 'smtp' ? provider.config.value : undefined
}

/** The values of the server; of a new one where there is none. Secrets are never shown. */
export function valuesOf(provider: EmailProvider | undefined) {
  const server = smtpOf(provider)
  const tokens = server?.auth.case === 'xoauth2' ? server.auth.value : undefined
  const login: Login = tokens === undefined ? 'password' : 'token'
  return {
    host: server?.host ?? '',
    tls: server?.tls ?? true,
    login,
    user: server?.user ?? '',
    password: '',
    tokenEndpoint: tokens?.tokenEndpoint ?? '',
    scopes: tokens?.scopes.join(' ') ?? '',
    clientId: tokens?.oauth2Type.value?.clientId ?? '',
    clientSecret: '',
    senderAddress: server?.senderAddress ?? '',
    senderName: server?.senderName ?? '',
    replyToAddress: server?.replyToAddress ?? '',
    description: provider?.description ?? '',
  }
}

/** The values of the form. */
export type SmtpValues = ReturnType<typeof valuesOf>

type Settings = Pick<
  MessageInitShape<typeof AddEmailProviderSMTPRequestSchema>,
  'host' | 'tls' | 'user' | 'senderAddress' | 'senderName' | 'replyToAddress' | 'description' | 'auth'
>

/** The settings in requests. */
export function settingsOf({ login, password, tokenEndpoint, scopes, clientId, clientSecret, ...others }: SmtpValues) {
  if (login === 'password') return { ...others, auth: authByPassword(others.user, password) } satisfies Settings
  const oauth2Type = { case: 'clientCredentials', value: { clientId, clientSecret } } as const
  const asked = scopes.split(/\s+/).filter((scope) => scope !== '')
  return {
    ...others,
    auth: { case: 'xoauth2', value: { tokenEndpoint, scopes: asked, oauth2Type } },
  } satisfies Settings
}

/** Without a user, the server does not authenticate. */
function authByPassword(user: string, password: string): NonNullable<Settings['auth']> {
  return user === '' ? { case: 'none', value: {} } : { case: 'plain', value: { password } }
}

/** Where the fields are in requests, if they are called otherwise there. */
const PATHS: Partial<Record<keyof SmtpValues, string>> = {
  tokenEndpoint: 'xoauth2.tokenEndpoint',
  scopes: 'xoauth2.scopes',
  clientId: 'xoauth2.clientCredentials.clientId',
  clientSecret: 'xoauth2.clientCredentials.clientSecret',
}

/** For each field of the form, its path in requests. */
export function pathsOf(values: SmtpValues): Readonly<Record<keyof SmtpValues, string>> {
  const names = Object.keys(values) as (keyof SmtpValues)[]
  return Object.fromEntries(names.map((name) => [name, PATHS[name] ?? name])) as Record<keyof SmtpValues, string>
}
