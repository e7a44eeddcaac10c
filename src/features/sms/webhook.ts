/**
 * Posting a text message to a webhook: signed, to where we may connect, without following a redirect. What the receiver
 * must know is in docs/how-to/receive-sms-webhooks.md.
 */
import { createHmac } from 'node:crypto'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { guardedLookup, type Resolve } from '../../access/outbound.ts'
import type { Instant } from '../../kernel/instant.ts'
import { isPublicAddress, isPublicOrOwnAddress } from '../../kernel/network-address.ts'

/** The header that carries the signature: `t=<seconds since 1970>,v1=<hex>`. */
export const SIGNATURE_HEADER = 'signet-signature'

/** HMAC-SHA-256 over the time in seconds, a dot and the body, with the signing key as it was shown. */
export const signatureOf = (signingKey: string, at: Instant, body: string): string => {
  const seconds = Math.floor(at / 1000)
  const mac = createHmac('sha256', signingKey).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}

/** Why text messages cannot be posted to an address; undefined when they can. Where a name leads is seen later. */
export const endpointProblem = (endpoint: string, allowsPrivate: boolean): string | undefined => {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password'
  if (url.protocol === 'http:' && !allowsPrivate) return 'must be an https URL, since codes are sent to it'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAllowed = allowsPrivate ? isPublicOrOwnAddress : isPublicAddress
  return isIP(host) !== 0 && !isAllowed(host) ? 'must not be an address inside of a network' : undefined
}

/** The receiver does not want this message: trying again cannot help. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected'
}

export interface WebhookCall {
  readonly endpoint: string
  readonly signingKey: string
  readonly at: Instant
  readonly body: string
}

/** Posts; resolves when the receiver answered with 2xx, throws `WebhookRejected` or another error otherwise. */
export type PostWebhook = (call: WebhookCall, signal: AbortSignal) => Promise<void>

export interface WebhookOptions {
  /** Whether addresses of this machine and its operator's network may be posted to, and http used. */
  readonly allowsPrivate: boolean
  readonly resolve?: Resolve
  readonly timeoutMilliseconds?: number
}

/** Answers that say: not this message. Every other may be another one tomorrow, after somebody has looked. */
const REJECTIONS: readonly number[] = [400, 413, 415, 422]

export const openWebhook = (options: WebhookOptions): PostWebhook => {
  const { allowsPrivate, resolve, timeoutMilliseconds = 10_000 } = options
  const isAllowed = allowsPrivate ? isPublicOrOwnAddress : isPublicAddress

  return ({ endpoint, signingKey, at, body }, signal) =>
    new Promise((settle, fail) => {
      const problem = endpointProblem(endpoint, allowsPrivate)
      if (problem !== undefined) return fail(new Error(`The address of the webhook ${problem}.`))
      const url = new URL(endpoint)
      const request = url.protocol === 'https:' ? requestHttps : requestHttp
      const answered = (response: IncomingMessage): void => {
        const status = response.statusCode ?? 0
        // What the receiver says is not for us; it is not read, and the connection not kept.
        response.destroy()
        if (status >= 200 && status < 300) settle()
        else if (REJECTIONS.includes(status)) fail(new WebhookRejected(`The webhook answered with ${status}.`))
        else fail(new Error(`The webhook answered with ${status}.`))
      }
      const outgoing: ClientRequest = request(
        url,
        {
          method: 'POST',
          agent: false,
          lookup: guardedLookup(isAllowed, resolve),
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': 'Signet',
            [SIGNATURE_HEADER]: signatureOf(signingKey, at, body),
          },
        },
        answered,
      )
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        fail(new Error(`The webhook could not be reached: ${error.code ?? error.name}`)),
      )
      outgoing.end(body)
    })
}
