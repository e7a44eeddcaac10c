/**
 * Posts a message to a webhook or to a provider: only to allowed addresses, without following redirects. Requests to
 * webhooks are signed; docs/how-to/receive-sms-webhooks.md describes it for receivers.
 */
import { createHmac } from 'node:crypto'
import { newSecret } from '../../crypto/tokens.ts'
import type { Instant } from '../../kernel/instant.ts'
import { type App, perApp } from '../../module/app.ts'
import { endpointProblem } from '../../outbound/endpoint.ts'
import { type GuardedFetch, OutboundFailed } from '../../outbound/fetch.ts'

/** The headers that carry the signature: `t=<seconds since 1970>,v1=<hex>`. Existing receivers look at the second. */
const SIGNATURE_HEADERS = ['signet-signature', 'zitadel-signature'] as const

/** A new key that signs requests. */
export function newSigningKey(): string {
  return Buffer.from(newSecret()).toString('base64url')
}

/** HMAC-SHA-256 over the time in seconds, a dot and the body, with the signing key as it was shown. */
function signatureOf(signingKey: string, at: Instant, body: string): string {
  const seconds = Math.floor(at / 1000)
  const mac = createHmac('sha256', signingKey).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}

/** The receiver rejected this message. A retry cannot help. */
export class MessageRejected extends Error {
  override readonly name = 'MessageRejected'
}

/** A message on its way. */
export interface MessagePost {
  /** Who receives it, as errors call it. */
  readonly receiver: 'The webhook' | 'Twilio'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

interface PostOptions {
  /** Whether addresses of this machine and of its private network are allowed, and http for them. */
  readonly allowsPrivate: boolean
  readonly fetchOutside: GuardedFetch
  readonly timeoutMilliseconds?: number | undefined
}

/** Statuses that reject the message. All others can change when the receiver is repaired. */
const REJECTIONS: readonly number[] = [400, 413, 415, 422]

/** The cause of an error: the code of the system, or our own. */
export function outsideReason(error: unknown): string {
  if (!(error instanceof OutboundFailed)) throw error
  const { cause, problem } = error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : problem
}

/** Opens the client. */
export function openPost(options: PostOptions): (post: MessagePost) => Promise<void> {
  const { allowsPrivate, fetchOutside, timeoutMilliseconds = 10_000 } = options

  return async ({ receiver, url, headers, body, signal }) => {
    const problem = endpointProblem(url, allowsPrivate)
    if (problem !== undefined) throw new Error(`The webhook URL ${problem}.`)
    // Only the status is read. The body of the response may quote the message.
    const { status, ok } = await fetchOutside(url, {
      method: 'POST',
      headers,
      body,
      reads: 'status',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
    }).catch((error: unknown) => {
      throw new Error(`${receiver} could not be reached: ${outsideReason(error)}`)
    })
    if (ok) return
    if (REJECTIONS.includes(status)) throw new MessageRejected(`${receiver} responded with status ${status}.`)
    throw new Error(`${receiver} responded with status ${status}.`)
  }
}

const postOf = perApp(({ config, fetchOutside }) =>
  openPost({
    allowsPrivate: config.allowsPrivateNetwork,
    fetchOutside,
    timeoutMilliseconds: config.webhookTimeoutMs,
  }),
)

/** Posts a message. Resolves when the response is 2xx; throws `MessageRejected` or another error otherwise. */
export function postMessage(app: App, post: MessagePost): Promise<void> {
  return postOf(app)(post)
}

/** A call of a webhook. */
export interface WebhookCall {
  readonly endpoint: string
  readonly signingKey: string
  readonly body: string
  readonly signal: AbortSignal
}

/** Posts a signed message to a webhook, as `postMessage`. */
export function postToWebhook(app: App, { endpoint, signingKey, body, signal }: WebhookCall): Promise<void> {
  const signature = signatureOf(signingKey, app.clock(), body)
  const signed = Object.fromEntries(SIGNATURE_HEADERS.map((name) => [name, signature]))
  const headers = { 'content-type': 'application/json', ...signed }
  return postMessage(app, { receiver: 'The webhook', url: endpoint, headers, body, signal })
}
