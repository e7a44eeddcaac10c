/** Reads the event stream of a running server once, until it ends: server-sent events, one message after the other. */
import { EVENT_STREAM_PATH, EVENT_STREAM_TYPE } from '../../http/events/address.ts'
import type { ServerTarget } from '../server-target.ts'

/** What to read. */
export interface EventSelection {
  /** A position, or the number of an event; undefined: only what is added. */
  readonly after: string | undefined
  readonly types: readonly string[]
  readonly kinds: readonly string[]
  readonly organizationId: string | undefined
  readonly objectId: string | undefined
}

/** One message of the stream. */
export interface StreamMessage {
  /** `message`, `heartbeat` or `end`. */
  readonly type: string
  readonly position: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Why the stream ended; `isFinal` when another try does not help. */
export class StreamEnded extends Error {
  override readonly name = 'StreamEnded'
  readonly isFinal: boolean

  constructor(reason: string, isFinal: boolean) {
    super(reason)
    this.isFinal = isFinal
  }
}

/** gRPC codes of what may be over soon: exhausted, aborted, unavailable. */
const TEMPORARY_CODES: ReadonlySet<unknown> = new Set([8, 10, 14])
/** A heartbeat comes every few seconds: a server that is silent for longer is gone. */
const SILENT_MS = 30_000
const LONGEST_MESSAGE = 16 * 1024 * 1024

function addressOf({ url }: ServerTarget, { after, types, kinds, organizationId, objectId }: EventSelection): URL {
  const address = new URL(EVENT_STREAM_PATH, url)
  const add = (name: string, value: string | undefined) => value && address.searchParams.append(name, value)
  add('after', after)
  for (const type of types) add('types', type)
  for (const kind of kinds) add('kinds', kind)
  add('organizationId', organizationId)
  add('objectId', objectId)
  return address
}

async function connect(target: ServerTarget, selection: EventSelection, signal: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${target.token}`, accept: EVENT_STREAM_TYPE }
  const answer = await fetch(addressOf(target, selection), { headers, signal, redirect: 'error' }).catch((error) => {
    const cause = (error as Error).cause ?? error
    throw new StreamEnded(`${target.url} cannot be reached: ${(cause as Error).message}`, false)
  })
  if (answer.status === 200) return answer
  const text = await answer.text().catch(() => '')
  throw new StreamEnded(reasonIn(text) ?? `The server answered ${answer.status}.`, !isTemporaryStatus(answer.status))
}

function isTemporaryStatus(status: number): boolean {
  return status === 429 || status >= 500
}

function reasonIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown }
    return typeof message === 'string' && message !== '' ? message : undefined
  } catch {
    return undefined
  }
}

function messageIn(block: string): StreamMessage | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart())
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { type: fields.get('event') ?? 'message', position: fields.get('id') ?? '', data: JSON.parse(data) }
}

/** The messages in a response. */
async function* messagesIn(body: AsyncIterable<Uint8Array>, heard: () => void): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    heard()
    text += decoder.decode(chunk, { stream: true })
    if (text.length > LONGEST_MESSAGE) throw new StreamEnded('A message of the server is too long.', true)
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const message = messageIn(block)
      if (message !== undefined) yield message
    }
  }
}

/** Reads the stream until its end, and then throws why it ended. */
export async function* readEvents(target: ServerTarget, selection: EventSelection): AsyncGenerator<StreamMessage> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), SILENT_MS)
  try {
    const { body } = await connect(target, selection, silence.signal)
    for await (const message of messagesIn(body ?? new ReadableStream(), () => timer.refresh())) {
      if (message.type !== 'end') yield message
      else throw new StreamEnded(String(message.data.message), !TEMPORARY_CODES.has(message.data.code))
    }
  } catch (error) {
    if (error instanceof StreamEnded) throw error
    throw new StreamEnded(`The connection to ${target.url} was lost.`, false)
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
  throw new StreamEnded(`The connection to ${target.url} was closed.`, false)
}
