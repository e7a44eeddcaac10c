/** Reads server-sent events as a browser does: it connects again when the connection is lost, and says where it was. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface ServerSentEvent {
  readonly type: string
  readonly data: string
  readonly id: string
}

export interface TestEventSource {
  /** The next event; rejects when the server refused the stream. */
  next(): Promise<ServerSentEvent>
  /** Loses the connection. */
  cut(): void
  close(): void
}

interface Options {
  readonly reconnects?: boolean
}

/** The events in the lines of a response. */
async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      text = text.slice(end + 2)
      const data = fields.get('data')
      if (data !== undefined) yield { type: fields.get('event') ?? 'message', data, id: fields.get('id') ?? '' }
    }
  }
}

/** Opens the stream at an address. */
export function openEventSource(
  url: string,
  authorization: string,
  { reconnects = true }: Options = {},
): TestEventSource {
  let connection = new AbortController()
  let isClosed = false
  let last = ''

  async function* read(): AsyncGenerator<ServerSentEvent> {
    while (!isClosed) {
      connection = new AbortController()
      try {
        const headers = { authorization, accept: 'text/event-stream', ...(last !== '' && { 'last-event-id': last }) }
        const answer = await fetch(url, { headers, signal: connection.signal })
        if (answer.status !== 200 || answer.body === null)
          throw new RangeError(`${answer.status} ${await answer.text()}`)
        for await (const event of eventsIn(answer.body)) {
          if (event.id !== '') last = event.id
          yield event
        }
      } catch (error) {
        if (error instanceof RangeError || !reconnects) throw error
      }
      if (!reconnects) return
      await sleep(5)
    }
  }
  const events = read()
  return {
    async next() {
      const { value, done } = await events.next()
      if (done) throw new Error('the stream has ended')
      return value
    },
    cut: () => connection.abort(),
    close() {
      isClosed = true
      connection.abort()
    },
  }
}
