/**
 * Processes the lines of a body while they arrive, many at a time, and writes the results in the order of the lines.
 * The window limits how far reading and writing can be apart, so memory does not grow with the body.
 */
import type { Readable, Writable } from 'node:stream'
import { MAX_REQUEST_BYTES } from '../protocols/errors.ts'
import { type Line, LineSplitter } from './ndjson.ts'

export interface WindowOptions {
  readonly source: Readable
  readonly sink: Writable
  /** Number of lines to skip without a result. */
  readonly skip: number
  /** Returns the result text of a line. Must not reject. */
  answer(line: Line): Promise<string>
  /** Called when something was received or sent. */
  moved(): void
}

/** Two group commits: one is prepared while the other is written. Other writers wait for these at most. */
const LINES = 512
/** Lines can be long; then fewer are processed at once. */
const BYTES = 16 * 1024 * 1024

interface Begun {
  readonly size: number
  text: string | undefined
}

/** The lines of one body in progress. Starts reading immediately. */
export class LineWindow {
  /** Resolves when all results are written. Returns the first line that was not started, if any. */
  readonly done: Promise<number | undefined>
  readonly #resolve: (next: number | undefined) => void
  readonly #options: WindowOptions
  readonly #splitter = new LineSplitter(MAX_REQUEST_BYTES)
  readonly #waiting: Line[] = []
  readonly #begun: Begun[] = []
  #bytes = 0
  #received = 0
  #isBlocked = false
  #isStopped = false
  #hasEnded = false
  #isFlushing = false

  constructor(options: WindowOptions) {
    this.#options = options
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    this.done = promise
    this.#resolve = resolve
    const { source, sink, moved } = options
    source.on('data', (piece: Buffer) => {
      moved()
      this.#received += piece.length
      this.#arrive(this.#splitter.push(piece))
    })
    source.on('end', () => {
      this.#hasEnded = true
      this.#arrive(this.#splitter.end())
    })
    sink.on('drain', () => {
      moved()
      this.#isBlocked = false
      this.#begin()
    })
    // An incomplete body says nothing about its last line, and its results would have no reader.
    source.on('close', () => {
      if (!this.#hasEnded) this.stop()
    })
    sink.on('close', () => this.stop())
  }

  /** How many bytes have arrived, and whether nothing can be done before the caller sends or reads. */
  get progress(): { readonly received: number; readonly isWaiting: boolean } {
    const isWaiting = this.#isBlocked || (this.#begun.length === 0 && !this.#hasEnded)
    return { received: this.#received, isWaiting }
  }

  /** Begins no more lines; those that are begun are finished and answered. */
  stop(): void {
    this.#isStopped = true
    this.#begin()
  }

  #arrive(lines: readonly Line[]): void {
    for (const line of lines) if (line.number > this.#options.skip) this.#waiting.push(line)
    this.#begin()
  }

  #begin(): void {
    const { source, answer } = this.#options
    while (!this.#isStopped && !this.#isBlocked && this.#begun.length < LINES && this.#bytes < BYTES) {
      const line = this.#waiting.shift()
      if (line === undefined) break
      const one: Begun = { size: line.bytes?.length ?? 0, text: undefined }
      this.#begun.push(one)
      this.#bytes += one.size
      void answer(line).then((text) => {
        one.text = text
        this.#flushSoon()
      })
    }
    const isDone = this.#isStopped || (this.#hasEnded && this.#waiting.length === 0)
    if (this.#begun.length === 0 && isDone) {
      this.#resolve(this.#waiting[0]?.number ?? (this.#hasEnded ? undefined : this.#splitter.count + 1))
    } else if (this.#waiting.length === 0 && !this.#isStopped) source.resume()
    else source.pause()
  }

  /** A group commit completes many lines in one turn of the event loop. Their results are sent in one write. */
  #flushSoon(): void {
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    const { sink, moved } = this.#options
    this.#isFlushing = false
    let text = ''
    for (let first = this.#begun[0]; first?.text !== undefined; first = this.#begun[0]) {
      text += `${first.text}\n`
      this.#bytes -= first.size
      this.#begun.shift()
    }
    if (text !== '' && !sink.destroyed) {
      this.#isBlocked = !sink.write(text)
      moved()
    }
    this.#begin()
  }
}
