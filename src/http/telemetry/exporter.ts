/**
 * Exports spans in batches and metrics at an interval. It never makes a request wait: what does not fit into the queue is
 * dropped and counted.
 */
import type { Log } from '../../module/app.ts'
import type { Family } from '../monitoring/metrics.ts'
import { type EndedSpan, encodeMetrics, encodeSpans, type Resource } from './otlp.ts'
import type { Sender, Sent } from './send.ts'

export interface ExporterOptions {
  readonly sender: Sender
  readonly resource: Resource
  readonly log: Pick<Log, 'warn' | 'info'>
  /** How long spans wait for others. */
  readonly traceDelayMs: number
  /** Undefined: metrics are not exported. */
  readonly metrics?: { readonly intervalMs: number; read(): Promise<readonly Family[]> } | undefined
}

/** As the specification of OpenTelemetry suggests. */
const MOST_WAITING = 2048
const BATCH = 512
/** How long the end of the process may take for what is left. */
const CLOSING_MS = 5_000

export class Exporter {
  readonly #options: ExporterOptions
  readonly #startMs = Date.now()
  readonly #closing = new AbortController()
  readonly #interval: NodeJS.Timeout | undefined
  #waiting: EndedSpan[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #isFailing = false
  #exported = 0
  #dropped = 0

  constructor(options: ExporterOptions) {
    this.#options = options
    const { metrics } = options
    if (metrics === undefined) return
    this.#interval = setInterval(() => void this.#exportMetrics(), metrics.intervalMs).unref()
  }

  /** Spans that were exported, and that were lost because the queue was full or the collector refused them. */
  get counts(): { readonly exported: number; readonly dropped: number } {
    return { exported: this.#exported, dropped: this.#dropped }
  }

  add(span: EndedSpan): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#dropped++
      return
    }
    this.#waiting.push(span)
    if (this.#sending !== undefined) return
    if (this.#waiting.length >= BATCH) this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), this.#options.traceDelayMs).unref()
  }

  /** Exports what is left, for a few seconds at most. */
  async close(): Promise<void> {
    clearInterval(this.#interval)
    this.#closing.abort()
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, CLOSING_MS)
    await Promise.race([late.promise, this.#finish()])
    clearTimeout(timer)
    this.#options.sender.close()
  }

  async #finish(): Promise<void> {
    await this.#sending
    this.#send()
    await this.#sending
    await this.#exportMetrics()
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#sendAll().then(() => {
      this.#sending = undefined
      if (this.#waiting.length > 0) this.#send()
    })
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH)
      const { sender, resource } = this.#options
      const sent = await sender.send('/v1/traces', encodeSpans(resource, batch), this.#closing.signal)
      if (sent.isSent) this.#exported += batch.length
      else this.#dropped += batch.length
      this.#report(sent)
    }
  }

  async #exportMetrics(): Promise<void> {
    const { metrics, sender, resource } = this.#options
    if (metrics === undefined) return
    const body = encodeMetrics(resource, await metrics.read(), this.#startMs, Date.now())
    this.#report(await sender.send('/v1/metrics', body, this.#closing.signal))
  }

  /** Once for each outage, not once for each batch. */
  #report(sent: Sent): void {
    if (sent.isSent === !this.#isFailing) return
    this.#isFailing = !sent.isSent
    if (sent.isSent) this.#options.log.info('traces and metrics are exported again')
    else this.#options.log.warn({ reason: sent.reason }, 'traces and metrics cannot be exported')
  }
}
