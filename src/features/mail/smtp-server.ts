/** Validates the settings of an SMTP server and creates the parameters of its connection. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { isEmailAddress } from '../../kernel/email-address.ts'
import type { Violation } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { endpointProblem } from '../../outbound/endpoint.ts'
import type { Document } from '../../store/index.ts'
import { accessTokenSource } from './access-token.ts'
import type { SetSmtpConfig } from './decisions/smtp-config.ts'
import { smtpConfigs } from './documents.ts'
import type { SmtpSettings } from './events.ts'
import type { MailServer } from './transport.ts'

export interface HostAndPort {
  /** An ASCII host name, or an IP address without brackets. */
  readonly hostname: string
  readonly port: number
}

const HOST_AND_PORT = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s/?#@\\]+)):([0-9]{1,5})$/
// The contract allows more characters than DNS. Such a name is not found when an email is sent.
const NAME = /^[a-z0-9_][a-z0-9_-]*(?:\.[a-z0-9_][a-z0-9_-]*)*\.?$/

/** Reads `mail.example.org:587`, `192.0.2.1:25` or `[2001:db8::1]:465`; undefined when it is not of that form. */
function parseHost(text: string): HostAndPort | undefined {
  const [, literal, name = '', digits] = HOST_AND_PORT.exec(text) ?? []
  const port = Number(digits)
  if (!(port >= 1 && port <= 65_535)) return undefined
  if (literal !== undefined) return isIP(literal) === 6 ? { hostname: literal, port } : undefined
  const hostname = isIP(name) === 4 ? name : domainToASCII(name)
  return NAME.test(hostname) ? { hostname, port } : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]|[\p{Zl}\p{Zp}]/u

function isOneLine(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text)
}

const ONE_LINE = 'must not contain control characters or line breaks'
const ADDRESS = 'must be an email address'

/** Settings in their stored form: without spaces around addresses and host. */
export function withoutBlanks(settings: SmtpSettings): SmtpSettings {
  return {
    ...settings,
    senderAddress: settings.senderAddress.trim(),
    replyToAddress: settings.replyToAddress.trim(),
    host: settings.host.trim(),
  }
}

type Rule = readonly [holds: boolean, field: string, description: string]

// RFC 6749 appendices A.1 and A.4.
const CLIENT_ID = /^[\x20-\x7e]+$/
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

function oauthRules({ config }: App, { user, oauth }: SmtpSettings): readonly Rule[] {
  if (oauth === undefined) return []
  const { tokenEndpoint, scopes, clientId } = oauth
  const problem = endpointProblem(tokenEndpoint, config.allowsPrivateNetwork)
  return [
    [user !== '', 'user', 'is needed: the mailbox that the access token is for'],
    [problem === undefined, 'xoauth2.tokenEndpoint', problem ?? ''],
    [CLIENT_ID.test(clientId), 'xoauth2.clientCredentials.clientId', 'must be the ID of a client'],
    [scopes.every((scope) => SCOPE.test(scope)), 'xoauth2.scopes', 'must be scopes without spaces'],
  ]
}

/** The violations of the settings by field. */
export function settingsViolations(app: App, settings: SmtpSettings, password = ''): readonly Violation[] {
  const { senderAddress, senderName, replyToAddress, host, user, description } = settings
  const rules: readonly Rule[] = [
    [isEmailAddress(senderAddress), 'senderAddress', ADDRESS],
    [isOneLine(senderName) && senderName.trim() !== '', 'senderName', `must not be blank and ${ONE_LINE}`],
    [replyToAddress === '' || isEmailAddress(replyToAddress), 'replyToAddress', ADDRESS],
    [
      parseHost(host) !== undefined,
      'host',
      'must be a host and port, such as mail.example.org:587 or [2001:db8::1]:465',
    ],
    [isOneLine(user), 'user', ONE_LINE],
    // RFC 4616 §2: NUL separates name and password.
    [password.isWellFormed() && !password.includes('\0'), 'password', 'must not contain NUL'],
    [description.isWellFormed(), 'description', 'must be well-formed text'],
    ...oauthRules(app, settings),
  ]
  return rules.flatMap(([holds, field, description]) => (holds ? [] : [{ field, description }]))
}

/** The place for which the password of an SMTP server is encrypted. */
export function passwordPlace(id: string) {
  return { kind: smtpConfigs.name, id, member: 'password' } as const
}

/** The server of these settings. Without a user or a password, it does not authenticate. */
export function serverWith(
  app: App,
  { host, tls, user, oauth }: SmtpSettings,
  password: string | undefined,
): MailServer {
  const parsed = parseHost(host)
  if (parsed === undefined) throw new Error('a mail server was set to a host without a port')
  if (user === '' || !password) return { ...parsed, tls, login: undefined }
  const login = oauth === undefined ? { password } : { tokens: accessTokenSource(app, oauth, password) }
  return { ...parsed, tls, login: { user, ...login } }
}

/** The decrypted password of a configuration; undefined when there is none. */
export async function passwordOf(app: App, { id, state }: Document<SetSmtpConfig>): Promise<string | undefined> {
  return state.secret.password === undefined ? undefined : app.vault.open(passwordPlace(id), state.secret.password)
}

/** The server of a configuration with its decrypted password. Use it only to send an email. */
export async function serverOf(app: App, config: Document<SetSmtpConfig>): Promise<MailServer> {
  return serverWith(app, config.state, await passwordOf(app, config))
}
