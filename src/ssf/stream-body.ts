/** Reads the bodies that receivers send about their streams, and writes streams in the words of the protocol. */
import type { Configuration, LivingStream, StreamSettings } from '../features/signal-streams/index.ts'
import { deliveredTypes, SUPPORTED_SIGNALS, VERIFICATION_INTERVAL_S } from '../features/signal-streams/index.ts'
import type { PageRequest } from '../http/page.ts'
import type { App } from '../module/app.ts'
import { type Document, isStorableText } from '../store/index.ts'
import { SsfError } from './errors.ts'
import { POLL_METHOD, POLL_PATH, PUSH_METHOD } from './routes.ts'

const MOST_BYTES = 64 * 1024
const LONGEST_DESCRIPTION = 200
const MOST_EVENTS = 50
const LONGEST_TEXT = 2_048

export type Body = Readonly<Record<string, unknown>>

export function invalid(description: string): SsfError {
  return new SsfError(400, 'invalid_request', description)
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The body of a request: a JSON object. */
export async function readBody(page: PageRequest): Promise<Body> {
  const bytes = await page.readBytes(MOST_BYTES)
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isBody(body)) return body
  } catch {
    throw invalid('The body is not JSON.')
  }
  throw invalid('The body must be an object.')
}

/** A text of the body; undefined when it is not given. */
export function textOf(body: Body, name: string, longest = LONGEST_TEXT): string | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value.length > longest || !isStorableText(value)) {
    throw invalid(`${name} must be a text of at most ${longest} characters.`)
  }
  return value
}

export function requiredText(body: Body, name: string): string {
  const value = textOf(body, name)
  if (value === undefined || value === '') throw invalid(`${name} is missing.`)
  return value
}

function requestedOf(body: Body): readonly string[] | undefined {
  const { events_requested: given } = body
  if (given === undefined || given === null) return undefined
  const isList = Array.isArray(given) && given.length <= MOST_EVENTS
  const isOfTexts = isList && given.every((one) => typeof one === 'string' && one.length <= 300 && isStorableText(one))
  if (!isOfTexts) throw invalid(`events_requested must be a list of at most ${MOST_EVENTS} URIs.`)
  return [...new Set(given as readonly string[])]
}

/** Visible ASCII, as a header may have it. */
const HEADER = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/

type Delivery = Pick<StreamSettings, 'delivery'> & { readonly header?: { readonly value: string } | undefined }

function deliveryOf(app: App, body: Body, streamId?: string): Delivery | undefined {
  const { delivery } = body
  if (delivery === undefined || delivery === null) return undefined
  if (!isBody(delivery)) throw invalid('delivery must be an object.')
  const url = textOf(delivery, 'endpoint_url')
  if (delivery.method === POLL_METHOD) {
    if (url !== undefined && url !== '' && (streamId === undefined || url !== pollUrl(app, streamId))) {
      throw invalid('delivery.endpoint_url of a stream that is polled is chosen by this server.')
    }
    return { delivery: { method: 'poll' } }
  }
  if (delivery.method !== PUSH_METHOD) throw invalid(`delivery.method must be ${PUSH_METHOD} or ${POLL_METHOD}.`)
  if (url === undefined) throw invalid('delivery.endpoint_url is missing.')
  const value = textOf(delivery, 'authorization_header', 4_096)
  if (value !== undefined && !HEADER.test(value)) throw invalid('delivery.authorization_header is not a header.')
  return { delivery: { method: 'push', url }, ...(value !== undefined && { header: { value } }) }
}

function descriptionOf(body: Body): string | undefined {
  return textOf(body, 'description', 10_000)?.slice(0, LONGEST_DESCRIPTION)
}

/** The configuration of a new stream, or one that replaces another. */
export function configurationOf(app: App, body: Body, streamId?: string): Configuration {
  const { delivery, header } = deliveryOf(app, body, streamId) ?? { delivery: { method: 'poll' } as const }
  const requested = requestedOf(body)
  const description = descriptionOf(body) ?? ''
  return { settings: { description, delivery, ...(requested !== undefined && { requested }) }, header }
}

function isSameAddress(before: StreamSettings['delivery'], after: StreamSettings['delivery']): boolean {
  return before.method === 'push' && after.method === 'push' && before.url === after.url
}

/** The configuration with what a request changes. The header stays with its address: it is sent to no other one. */
export function changedConfiguration(app: App, { id, state }: Document<LivingStream>, body: Body): Configuration {
  const given = deliveryOf(app, body, id)
  const delivery = given?.delivery ?? state.delivery
  const requested = requestedOf(body) ?? state.requested
  const description = descriptionOf(body) ?? state.description
  const header = given?.header ?? (isSameAddress(state.delivery, delivery) ? 'kept' : undefined)
  return { settings: { description, delivery, ...(requested !== undefined && { requested }) }, header }
}

function pollUrl({ externalUrl }: App, streamId: string): string {
  return `${externalUrl}${POLL_PATH}/${streamId}`
}

/** A stream in the words of the protocol. The header of the receiver is never shown. */
export function streamBody(app: App, { id, state }: Document<LivingStream>): Body {
  const { delivery, requested, description, receiverId } = state
  return {
    stream_id: id,
    iss: app.externalUrl,
    aud: receiverId,
    events_supported: SUPPORTED_SIGNALS,
    ...(requested !== undefined && { events_requested: requested }),
    events_delivered: deliveredTypes(state),
    delivery:
      delivery.method === 'push'
        ? { method: PUSH_METHOD, endpoint_url: delivery.url }
        : { method: POLL_METHOD, endpoint_url: pollUrl(app, id) },
    min_verification_interval: VERIFICATION_INTERVAL_S,
    ...(description !== '' && { description }),
  }
}

const OURS = ['iss', 'aud', 'events_supported', 'events_delivered', 'min_verification_interval'] as const

function canonical(value: unknown): string {
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value)
}

/** Throws when a request says something else about what this server supplies (SSF §8.1.1.3). */
export function checkOurs(app: App, stream: Document<LivingStream>, body: Body): void {
  const expected = streamBody(app, stream)
  for (const name of OURS) {
    if (body[name] !== undefined && canonical(body[name]) !== canonical(expected[name])) {
      throw invalid(`${name} is supplied by this server and must be unchanged.`)
    }
  }
}
