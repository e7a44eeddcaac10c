/**
 * Works on the lines of a body while they arrive, many at a time, and writes the answers in the order of the lines.
 * Neither side gets further ahead of the other than the window is wide, so memory does not grow with the body.
 */
import type { Readable, Writable } from 'node:stream'
import { MAX_REQUEST_BYTES } from '../protocols/errors.ts'
import { type Line, openLineSplitter } from './ndjson.ts'

export interface WindowOptions {
  readonly source: Readable
  readonly sink: Writable
  /** So many lines are passed over without an answer. */
  readonly skip: number
  /** The text that answers a line; must not reject. */
  answer(line: Line): Promise<string>
  /** Something came in or went out. */
  moved(): void
}

export interface LineWindow {
  /** Begins no more lines; those that are begun are finished and answered. */
  stop(): void
  /** Resolves when all is answered that will be; tells the first line that was not begun, if there may be one. */
  readonly done: Promise<number | undefined>
}

/** Two group commits: one is prepared while the other is written, and other writers wait for no more than these. */
const LINES = 512
/** Lines may be long: then fewer of them are worked on at once. */
const BYTES = 16 * 1024 * 1024

interface Begun {
  readonly size: number
  text: string | undefined
}

/** Begins to read at once. */
export function openLineWindow({ source, sink, skip, answer, moved }: WindowOptions): LineWindow {
  const splitter = openLineSplitter(MAX_REQUEST_BYTES)
  const { promise: done, resolve } = Promise.withResolvers<number | undefined>()
  const waiting: Line[] = []
  const begun: Begun[] = []
  let bytes = 0
  let isBlocked = false
  let isStopped = false
  let hasEnded = false
  let isFlushing = false

  const begin = () => {
    while (!isStopped && !isBlocked && begun.length < LINES && bytes < BYTES) {
      const line = waiting.shift()
      if (line === undefined) break
      const one: Begun = { size: line.bytes?.length ?? 0, text: undefined }
      begun.push(one)
      bytes += one.size
      void answer(line).then((text) => {
        one.text = text
        flushSoon()
      })
    }
    if (begun.length === 0 && (isStopped || (hasEnded && waiting.length === 0))) {
      resolve(waiting[0]?.number ?? (hasEnded ? undefined : splitter.count + 1))
    } else if (waiting.length === 0 && !isStopped) source.resume()
    else source.pause()
  }

  // A group commit answers many lines in one turn of the event loop: they leave in one piece.
  const flushSoon = () => {
    if (isFlushing) return
    isFlushing = true
    setImmediate(flush)
  }

  const flush = () => {
    isFlushing = false
    let text = ''
    for (let first = begun[0]; first?.text !== undefined; first = begun[0]) {
      text += `${first.text}\n`
      bytes -= first.size
      begun.shift()
    }
    if (text !== '' && !sink.destroyed) {
      isBlocked = !sink.write(text)
      moved()
    }
    begin()
  }

  const arrive = (lines: readonly Line[]) => {
    for (const line of lines) if (line.number > skip) waiting.push(line)
    begin()
  }

  source.on('data', (piece: Buffer) => {
    moved()
    arrive(splitter.push(piece))
  })
  source.on('end', () => {
    hasEnded = true
    arrive(splitter.end())
  })
  sink.on('drain', () => {
    moved()
    isBlocked = false
    begin()
  })
  const stop = () => {
    isStopped = true
    begin()
  }
  // Half a body says nothing about its last line, and an answer without a reader is of no use.
  source.on('close', () => {
    if (!hasEnded) stop()
  })
  sink.on('close', stop)
  return { stop, done }
}
