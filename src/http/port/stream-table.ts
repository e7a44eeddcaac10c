/**
 * Replaces the Map and the Set in which Node keeps the streams of an HTTP/2 session. When they are filled and emptied all
 * the time, they leave a chain of outgrown tables behind, which keeps finished streams and their headers in memory until
 * the next full garbage collection (decision 51). The replacements have the methods that Node uses.
 */
import type { ServerHttp2Session } from 'node:http2'

/** Open streams by id. They are searched one by one: there are few, and the newest are asked for most. */
class StreamsById {
  readonly #ids: number[] = []
  readonly #streams: unknown[] = []

  get size(): number {
    return this.#ids.length
  }

  get(id: number): unknown {
    return this.#streams[this.#ids.lastIndexOf(id)]
  }

  set(id: number, stream: unknown): void {
    this.#ids.push(id)
    this.#streams.push(stream)
  }

  delete(id: number): void {
    const place = this.#ids.lastIndexOf(id)
    if (place === -1) return
    this.#ids.splice(place, 1)
    this.#streams.splice(place, 1)
  }

  forEach(visit: (stream: unknown) => void): void {
    for (const stream of [...this.#streams]) visit(stream)
  }
}

/** Streams that have no id yet: of a server, each for a moment. */
class PendingStreams {
  readonly #streams: unknown[] = []

  get size(): number {
    return this.#streams.length
  }

  add(stream: unknown): void {
    this.#streams.push(stream)
  }

  delete(stream: unknown): void {
    const place = this.#streams.lastIndexOf(stream)
    if (place !== -1) this.#streams.splice(place, 1)
  }

  forEach(visit: (stream: unknown) => void): void {
    for (const stream of [...this.#streams]) visit(stream)
  }
}

interface SessionState {
  streams?: { readonly size: number }
  pendingStreams?: { readonly size: number }
}

/** To be called for a new session. Answers false, and does nothing, when this version of Node keeps streams elsewhere. */
export function replaceStreamTables(session: ServerHttp2Session): boolean {
  const symbol = Object.getOwnPropertySymbols(session).find(({ description }) => description === 'state')
  const state = symbol && (session as unknown as Record<symbol, SessionState | undefined>)[symbol]
  if (state?.streams?.size !== 0 || state.pendingStreams?.size !== 0) return false
  state.streams = new StreamsById()
  state.pendingStreams = new PendingStreams()
  return true
}
