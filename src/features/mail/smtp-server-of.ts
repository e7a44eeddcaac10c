/** The mail server of a configuration, with its password opened: only for the moment in which mail is sent. */
import type { Document } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'
import type { SetSmtpConfig } from './decisions/smtp-config.ts'
import { smtpConfigs } from './documents.ts'
import type { SmtpSettings } from './events.ts'
import { parseHost } from './smtp-settings.ts'
import type { MailServer } from './transport.ts'

/** Where the password of a mail server is sealed. */
export function passwordPlace(id: string) {
  return { kind: smtpConfigs.name, id, member: 'password' } as const
}

/** The server of these settings; without a user or a password nobody signs in. */
export function serverWith({ host, tls, user }: SmtpSettings, password: string | undefined): MailServer {
  const parsed = parseHost(host)
  if (parsed === undefined) throw new Error('a mail server was set to a host without a port')
  const login = user !== '' && password ? { user, password } : undefined
  return { ...parsed, tls, login }
}

/** The password of a configuration; undefined when there is none. */
export async function passwordOf(vault: Vault, { id, state }: Document<SetSmtpConfig>): Promise<string | undefined> {
  return state.secret.password === undefined ? undefined : vault.open(passwordPlace(id), state.secret.password)
}

/** The server of a configuration. */
export async function serverOf(vault: Vault, config: Document<SetSmtpConfig>): Promise<MailServer> {
  return serverWith(config.state, await passwordOf(vault, config))
}
