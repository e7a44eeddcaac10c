/** Sends one request and says what its answer means for the queue. */
import type { App } from '../../module/app.ts'
import type { Destination, OutgoingRequest } from '../../module/destinations.ts'
import { OutboundFailed } from '../../outbound/fetch.ts'

/** What is kept of an answer. */
const ANSWER_BYTES = 1024
/** The longest `Retry-After` that is honoured. */
const LONGEST_WAIT_S = 3_600

export interface Answer {
  /**
   * `delivered`: accepted. `refused`: the destination works, but not with this request. `failed`: it does not work.
   * `gone`: it wants nothing more.
   */
  readonly outcome: 'delivered' | 'refused' | 'failed' | 'gone'
  /** 0 when there was none. */
  readonly status: number
  /** A word for what went wrong, or `HTTP 500`; empty when nothing did. */
  readonly reason: string
  /** The beginning of the body. */
  readonly body: string
  readonly milliseconds: number
  /** How long it asks to be left alone. */
  readonly waitMs: number
}

function outcomeOf(status: number): Answer['outcome'] {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 410) return 'gone'
  const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429
  return isRefusal ? 'refused' : 'failed'
}

/** `Retry-After` in seconds or as a date, in milliseconds from now. */
function waitOf(response: Response, now: number): number {
  const text = response.headers.get('retry-after')?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LONGEST_WAIT_S) * 1000 : 0
}

/** Readable text of an answer, without control characters that could confuse whoever reads it. */
async function textOf(response: Response): Promise<string> {
  const bytes = new Uint8Array(await response.arrayBuffer()).subarray(0, ANSWER_BYTES)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be stored
  return new TextDecoder().decode(bytes).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
}

/** Sends a request. Never throws: whatever a destination does is an answer. */
export async function send(
  app: App,
  { url, headers, body }: OutgoingRequest,
  { timeoutMs }: Pick<Destination, 'timeoutMs'>,
  stopping?: AbortSignal,
): Promise<Answer> {
  const limit = AbortSignal.timeout(timeoutMs)
  const signal = stopping === undefined ? limit : AbortSignal.any([limit, stopping])
  const startedAt = performance.now()
  const took = () => Math.round(performance.now() - startedAt)
  try {
    const request = { method: 'POST', headers, body, signal, mostBytes: ANSWER_BYTES, reads: 'beginning' } as const
    const response = await app.fetchOutside(url, request)
    const { status } = response
    const outcome = outcomeOf(status)
    const reason = outcome === 'delivered' ? '' : `HTTP ${status}`
    const waitMs = outcome === 'failed' ? waitOf(response, app.clock()) : 0
    return { outcome, status, reason, body: await textOf(response), milliseconds: took(), waitMs }
  } catch (error) {
    const reason = error instanceof OutboundFailed ? error.problem : 'unreachable'
    return { outcome: 'failed', status: 0, reason, body: '', milliseconds: took(), waitMs: 0 }
  }
}
