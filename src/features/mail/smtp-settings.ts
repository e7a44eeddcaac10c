/** What a mail server may be set to: its host with port, the addresses of the sender, and names without surprises. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { isEmailAddress } from '../../kernel/email-address.ts'
import type { Violation } from '../../kernel/refusal.ts'
import type { SmtpSettings } from './events.ts'

export interface HostAndPort {
  /** A name in ASCII, or an address without brackets. */
  readonly hostname: string
  readonly port: number
}

const HOST_AND_PORT = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s/?#@\\]+)):([0-9]{1,5})$/
// How long it may be says the contract, which allows more than DNS knows: such a name is not found when a mail is sent.
const NAME = /^[a-z0-9_][a-z0-9_-]*(?:\.[a-z0-9_][a-z0-9_-]*)*\.?$/

/** Reads `mail.example.org:587`, `192.0.2.1:25` or `[2001:db8::1]:465`; undefined when it is not of that form. */
export function parseHost(text: string): HostAndPort | undefined {
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

/** Settings as they are kept: nobody means the blanks around an address or a host. */
export function withoutBlanks(settings: SmtpSettings): SmtpSettings {
  return {
    ...settings,
    senderAddress: settings.senderAddress.trim(),
    replyToAddress: settings.replyToAddress.trim(),
    host: settings.host.trim(),
  }
}

/** Every member that cannot be set like this, by its name. */
export function settingsViolations(settings: SmtpSettings, password = ''): readonly Violation[] {
  const { senderAddress, senderName, replyToAddress, host, user, description } = settings
  const rules: readonly (readonly [boolean, string, string])[] = [
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
  ]
  return rules.flatMap(([holds, field, description]) => (holds ? [] : [{ field, description }]))
}
