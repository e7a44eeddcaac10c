/** Why an email was not sent: whether a retry can help, and whether the cause is the server or the email. */
import { ForbiddenAddress } from '../../outbound/lookup.ts'

/** The server rejected this email permanently. A retry cannot help. */
export class MailRejected extends Error {
  override readonly name = 'MailRejected'
}

/** Sending failed this time. */
export class MailDelayed extends Error {
  override readonly name = 'MailDelayed'
  /** `server`: no other email would have been sent either. */
  readonly trouble: 'server' | 'mail'

  constructor(message: string, trouble: 'server' | 'mail') {
    super(message)
    this.trouble = trouble
  }
}

/** The error data of nodemailer and of sockets. */
interface LibraryError {
  readonly code?: unknown
  readonly originalCode?: unknown
  readonly responseCode?: unknown
  readonly response?: unknown
  readonly command?: unknown
  readonly message?: unknown
}

const LONGEST_REASON = 400

/** All forms in which a server could repeat a secret. */
function spellings(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString('base64')
  return [secret, encodeURIComponent(secret.toWellFormed()), base64, base64.replaceAll('=', '')]
}

/** One line without control characters and without the secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text.toWellFormed()
  for (const secret of secrets) {
    if (secret === '') continue
    for (const spelling of spellings(secret)) clean = clean.replaceAll(spelling, '[secret]')
  }
  // After AUTH PLAIN, a server can repeat name and password as they were sent, as one text.
  clean = clean.replaceAll(/[A-Za-z0-9+/_-]{24,}={0,2}/g, (piece) => {
    const decoded = Buffer.from(piece, 'base64').toString()
    return secrets.some((secret) => secret !== '' && decoded.includes(secret)) ? '[secret]' : piece
  })
  return clean
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_REASON)
}

const CONVERSATION = ['MAIL FROM', 'RCPT TO', 'DATA']
const CLOSING = 421

/** The reason why a mail was not sent, from any error. */
export function reasonOf(error: unknown, secrets: readonly string[]): MailRejected | MailDelayed {
  if (error instanceof MailRejected || error instanceof MailDelayed) return error
  if (error instanceof ForbiddenAddress) {
    return new MailDelayed('The address of the mail server is not allowed.', 'server')
  }
  const { code, originalCode, responseCode, response, command, message } = (error ?? {}) as LibraryError
  const answer = typeof response === 'string' ? withoutSecrets(response, secrets) : ''
  const isConversation = CONVERSATION.includes(String(command))

  if (isConversation && typeof responseCode === 'number') {
    const sentence = `The mail server responded to ${command}: ${answer}`
    if (responseCode >= 500) return new MailRejected(sentence)
    return new MailDelayed(sentence, responseCode === CLOSING ? 'server' : 'mail')
  }
  // Known before the SMTP dialog starts: the email is larger than the server accepts, or an address is invalid.
  if (code === 'EMESSAGE' || code === 'EENVELOPE') {
    return new MailRejected(`The email cannot be sent: ${withoutSecrets(String(message), secrets)}`)
  }
  if (code === 'EAUTH') {
    return new MailDelayed(
      `The mail server rejected the username or password: ${answer || 'no reason given'}`,
      'server',
    )
  }
  if (code === 'ETLS') {
    return new MailDelayed(
      `The connection could not be encrypted: ${withoutSecrets(String(message), secrets)}`,
      'server',
    )
  }
  // The other side may not be an SMTP server. Its greeting is shown only if it looks like one.
  if (code === 'EPROTOCOL' || (typeof responseCode === 'number' && command === 'CONN')) {
    const said = typeof responseCode === 'number' && /^[245]\d\d[ -]/.test(answer) ? `: ${answer}` : ''
    return new MailDelayed(`The server did not respond like a mail server${said}`, 'server')
  }
  if (answer !== '') return new MailDelayed(`The mail server responded: ${answer}`, 'server')
  const name = [originalCode, code].find((one) => typeof one === 'string') ?? 'unknown'
  return new MailDelayed(`The mail server could not be reached or stopped responding: ${name}`, 'server')
}
