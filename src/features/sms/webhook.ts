/**
 * Posts a text message to a webhook: signed, only to allowed addresses, without following redirects.
 * docs/how-to/receive-sms-webhooks.md describes it for receivers.
 */
import { createHmac } from 'node:crypto'
import type { Instant } from '../../kernel/instant.ts'
import { type App, perApp } from '../../module/app.ts'
import { endpointProblem } from '../../outbound/endpoint.ts'
import { type GuardedFetch, OutboundFailed } from '../../outbound/fetch.ts'

/** The header that carries the signature: `t=<seconds since 1970>,v1=<hex>`. */
export const SIGNATURE_HEADER = 'signet-signature'

/** HMAC-SHA-256 over the time in seconds, a dot and the body, with the signing key as it was shown. */
export function signatureOf(signingKey: string, at: Instant, body: string): string {
  const seconds = Math.floor(at / 1000)
  const mac = createHmac('sha256', signingKey).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}

/** The receiver rejected this message. A retry cannot help. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected'
}

export interface WebhookCall {
  readonly endpoint: string
  readonly signingKey: string
  readonly at: Instant
  readonly body: string
}

type PostWebhook = (call: WebhookCall, signal: AbortSignal) => Promise<void>

interface WebhookOptions {
  /** Whether addresses of this machine and of its private network are allowed, and http for them. */
  readonly allowsPrivate: boolean
  readonly fetchOutside: GuardedFetch
  readonly timeoutMilliseconds?: number | undefined
}

/** Statuses that reject the message. All others can change when the receiver is repaired. */
const REJECTIONS: readonly number[] = [400, 413, 415, 422]

/** The cause of an error: the code of the system, or our own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof OutboundFailed)) throw error
  const { cause, problem } = error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : problem
}

/** Opens the webhook client. */
export function openWebhook(options: WebhookOptions): PostWebhook {
  const { allowsPrivate, fetchOutside, timeoutMilliseconds = 10_000 } = options

  return async ({ endpoint, signingKey, at, body }, signal) => {
    const problem = endpointProblem(endpoint, allowsPrivate)
    if (problem !== undefined) throw new Error(`The webhook URL ${problem}.`)
    // Only the status is read. The body of the response is not used.
    const { status, ok } = await fetchOutside(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signatureOf(signingKey, at, body) },
      body,
      reads: 'status',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
    }).catch((error: unknown) => {
      throw new Error(`The webhook could not be reached: ${reasonOf(error)}`)
    })
    if (ok) return
    if (REJECTIONS.includes(status)) throw new WebhookRejected(`The webhook responded with status ${status}.`)
    throw new Error(`The webhook responded with status ${status}.`)
  }
}

const webhookOf = perApp(({ config, fetchOutside }) =>
  openWebhook({
    allowsPrivate: config.allowsPrivateNetwork,
    fetchOutside,
    timeoutMilliseconds: config.webhookTimeoutMs,
  }),
)

/** Posts a message. Resolves when the response is 2xx; throws `WebhookRejected` or another error otherwise. */
export function postToWebhook(app: App, call: WebhookCall, signal: AbortSignal): Promise<void> {
  return webhookOf(app)(call, signal)
}
