/**
 * The only file that uses SMTP, through nodemailer. An email has one recipient and a Message-ID that we choose, so that
 * a retry is the same email. Errors of the library never leave this file, only a sentence without secrets. The library
 * is large, so it is loaded with the first email.
 */
import { connect, isIP, type Socket } from 'node:net'
import { getCACertificates } from 'node:tls'
import { wireAddress } from '../../kernel/email-address.ts'
import type { Instant } from '../../kernel/instant.ts'
import { isPublicOrOwnAddress } from '../../kernel/network-address.ts'
import { type App, type MailTransportOptions, perApp } from '../../module/app.ts'
import { ForbiddenAddress, guardedLookup } from '../../outbound/lookup.ts'
import type { AccessTokens } from './access-token.ts'
import { MailDelayed, MailRejected, reasonOf } from './delivery-failure.ts'
import { oneLine, type RenderedMail } from './render.ts'

/** An SMTP server and its connection settings. */
export interface MailServer {
  readonly hostname: string
  readonly port: number
  readonly tls: boolean
  /** Undefined if the server requires no authentication. */
  readonly login: MailLogin | undefined
}

/** A user with a password, or with access tokens (XOAUTH2). */
export type MailLogin = { readonly user: string } & (
  | { readonly password: string; readonly tokens?: undefined }
  | { readonly tokens: AccessTokens; readonly password?: undefined }
)

export interface OutgoingMail extends RenderedMail {
  /** Does not change between attempts. */
  readonly id: string
  readonly from: { readonly name: string; readonly address: string }
  readonly replyTo: string
  readonly to: { readonly name: string; readonly address: string }
  readonly date: Instant
  /** Values that must be removed if the server quotes the email in its response. */
  readonly secrets: readonly string[]
}

type SendMail = (server: MailServer, mail: OutgoingMail, signal: AbortSignal) => Promise<void>

const LONGEST_ANSWER = 65_536

/** A Message-ID that is the same in each try (RFC 5322 §3.6.4). */
function messageId(id: string, sender: string): string {
  return `<${id}@${sender.slice(sender.indexOf('@') + 1)}>`
}

function openSocket(
  { hostname, port }: MailServer,
  { isAllowed = isPublicOrOwnAddress, resolve, connectMilliseconds = 10_000 }: MailTransportOptions,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((settle, fail) => {
    // An IP address is not resolved, so it is checked here.
    if (isIP(hostname) !== 0 && !isAllowed(hostname)) {
      return fail(new ForbiddenAddress('the address of the mail server is not allowed'))
    }
    const socket = connect({ host: hostname, port, lookup: guardedLookup(isAllowed, resolve), signal })
    const tooLong = setTimeout(
      () => socket.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })),
      connectMilliseconds,
    )
    socket.once('connect', () => {
      clearTimeout(tooLong)
      socket.removeListener('error', fail)
      settle(socket)
    })
    socket.once('error', fail)
    socket.once('close', () => clearTimeout(tooLong))
  })
}

function checked(address: string): string {
  const wire = wireAddress(address)
  if (wire === undefined) throw new MailRejected('The address is not one that mail can be sent to.')
  return wire
}

function messageOf(mail: OutgoingMail) {
  const from = checked(mail.from.address)
  const to = checked(mail.to.address)
  return {
    from: { name: oneLine(mail.from.name), address: from },
    to: { name: oneLine(mail.to.name), address: to },
    ...(mail.replyTo === '' ? {} : { replyTo: { name: '', address: checked(mail.replyTo) } }),
    envelope: { from, to: [to] },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: messageId(mail.id, from),
    date: new Date(mail.date),
    // RFC 3834 §5: prevents automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false as const,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Aborts some time after `signal`, so that a delivery in progress can complete before the process stops. */
function laterThan(signal: AbortSignal, milliseconds: number, whole: number) {
  const cut = new AbortController()
  const abort = () => cut.abort()
  const timers = [setTimeout(abort, whole)]
  const onAbort = () => timers.push(setTimeout(abort, milliseconds))
  signal.addEventListener('abort', onAbort, { once: true })
  const release = () => {
    for (const timer of timers) clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
  return { signal: cut.signal, release }
}

/** `ca` replaces the certificates that Node trusts, so they are added again. */
function withTrust(trusted: string) {
  return { ca: [...getCACertificates('default'), trusted] }
}

/** How nodemailer logs in, and what must not be repeated in errors. */
function openLogin({ login }: MailServer, signal: AbortSignal) {
  if (login === undefined) return { auth: {}, secrets: [], failed: () => undefined }
  const { user, password, tokens } = login
  if (tokens === undefined)
    return { auth: { auth: { user, pass: password } }, secrets: [password], failed: () => undefined }
  const secrets = [tokens.clientSecret]
  let given: string | undefined
  let failure: unknown
  const provisionCallback = (_: string, __: boolean, done: (error: Error | null, token?: string) => void) => {
    if (given !== undefined) tokens.forget(given)
    tokens.read(signal).then(
      (token) => {
        given = token
        secrets.push(token)
        done(null, token)
      },
      (error: Error) => {
        failure = error
        done(error)
      },
    )
  }
  return {
    auth: { auth: { type: 'OAuth2' as const, user, provisionCallback } },
    secrets,
    /** The error of the token endpoint, if it is that. A token that the mail server refused is not used again. */
    failed(error: unknown): unknown {
      const isRefused = (error as { readonly code?: unknown }).code === 'EAUTH'
      if (isRefused && failure === undefined && given !== undefined) tokens.forget(given)
      return failure
    },
  }
}

/** Opens a transport. Each email has its own connection. */
export function openTransport(options: MailTransportOptions = {}): SendMail {
  const { greetingMilliseconds = 10_000, silenceMilliseconds = 30_000, trusted } = options
  const { wholeMilliseconds = 120_000, graceMilliseconds = 5_000, connectMilliseconds = 10_000 } = options
  const { implicitTlsPort = 465 } = options

  return async (server, mail, signal) => {
    const message = messageOf(mail)
    if (signal.aborted) throw new MailDelayed('The process is stopping.', 'mail')
    const { createTransport } = await import('nodemailer')
    const cut = laterThan(signal, graceMilliseconds, wholeMilliseconds)
    const login = openLogin(server, cut.signal)
    let socket: Socket | undefined
    try {
      socket = await openSocket(server, options, cut.signal)
      const isImplicit = server.tls && server.port === implicitTlsPort
      const transport = createTransport({
        host: server.hostname,
        port: server.port,
        connection: socket,
        secure: isImplicit,
        // With TLS, a server without STARTTLS is refused; without TLS, STARTTLS is not tried.
        requireTLS: server.tls && !isImplicit,
        ignoreTLS: !server.tls,
        tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(trusted === undefined ? {} : withTrust(trusted)) },
        ...login.auth,
        name: message.envelope.from.slice(message.envelope.from.indexOf('@') + 1),
        connectionTimeout: connectMilliseconds + greetingMilliseconds,
        greetingTimeout: greetingMilliseconds,
        socketTimeout: silenceMilliseconds,
        maxResponseSize: LONGEST_ANSWER,
        logger: false,
      })
      await transport.sendMail(message)
    } catch (error) {
      throw reasonOf(login.failed(error) ?? error, [...mail.secrets, ...login.secrets])
    } finally {
      cut.release()
      socket?.destroy()
    }
  }
}

const transportOf = perApp((app) => openTransport(app.config.mailTransport))

/** Sends one email. Resolves when the server has accepted it; throws `MailRejected` or `MailDelayed` otherwise. */
export function sendMail(app: App, server: MailServer, mail: OutgoingMail, signal: AbortSignal): Promise<void> {
  const send = () => transportOf(app)(server, mail, signal)
  if (app.tracer === undefined) return send()
  const attributes = { 'server.address': server.hostname, 'server.port': server.port, 'network.protocol.name': 'smtp' }
  return app.tracer.trace('send mail', 'client', attributes, send)
}
