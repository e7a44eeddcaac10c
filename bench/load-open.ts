/**
 * An open-loop load generator for HTTP/1.1: requests leave at a fixed rate, whatever the server does with the earlier
 * ones, as those of many independent users would. A client gives up after its patience and closes its connection.
 */
import { connect, type Socket } from 'node:net'

export interface OpenRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  body(): string
}

export interface OpenLoadOptions {
  readonly port: number
  readonly perSecond: number
  readonly patienceMs: number
  readonly request: OpenRequest
}

/** What became of the requests since the last look. */
export interface Outcomes {
  sent: number
  /** Latencies of good answers in time, in milliseconds. */
  readonly good: number[]
  /** Latencies of refusals: 429. */
  readonly refused: number[]
  /** Refusals without `Retry-After`. */
  withoutRetryAfter: number
  /** Any other answer. */
  failed: number
  /** No answer in time. */
  late: number
}

export interface OpenLoad {
  take(): Outcomes
  stop(): void
}

/** The most connections of one load, far below what the server allows one address. */
const MOST_CONNECTIONS = 1_500
const TICK_MS = 5

function noOutcomes(): Outcomes {
  return { sent: 0, good: [], refused: [], withoutRetryAfter: 0, failed: 0, late: 0 }
}

/** Sends requests until `stop`. */
export function loadOpen({ port, perSecond, patienceMs, request }: OpenLoadOptions): OpenLoad {
  const head =
    `${request.method} ${request.path} HTTP/1.1\r\nhost: localhost\r\n` +
    Object.entries(request.headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  const idle: Connection[] = []
  let open = 0
  let outcomes = noOutcomes()

  const send = () => {
    outcomes.sent++
    let connection = idle.pop()
    if (connection === undefined && open >= MOST_CONNECTIONS) {
      outcomes.late++
      return
    }
    connection ??= new Connection(port, () => open--)
    if (connection.isNew) open++
    const used = connection
    const body = request.body()
    const length = Buffer.byteLength(body)
    const sentAt = performance.now()
    const timer = setTimeout(() => {
      outcomes.late++
      used.close()
    }, patienceMs)
    used.ask(`${head}content-length: ${length}\r\n\r\n${body}`, (answer) => {
      clearTimeout(timer)
      if (answer === undefined) {
        outcomes.failed++
        return
      }
      const latency = performance.now() - sentAt
      if (answer.status < 300) outcomes.good.push(latency)
      else if (answer.status === 429) {
        outcomes.refused.push(latency)
        if (!/\r\nretry-after: \d+/i.test(answer.head)) outcomes.withoutRetryAfter++
      } else outcomes.failed++
      idle.push(used)
    })
  }

  const began = performance.now()
  let sent = 0
  const ticking = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond
    for (; sent < due; sent++) send()
  }, TICK_MS)
  return {
    take: () => {
      const taken = outcomes
      outcomes = noOutcomes()
      return taken
    },
    stop: () => {
      clearInterval(ticking)
      for (const connection of idle) connection.close()
    },
  }
}

interface Answer {
  readonly status: number
  readonly head: string
}

/** One connection, one request at a time. */
class Connection {
  isNew = true
  readonly #socket: Socket
  #pending: Buffer = Buffer.alloc(0)
  #answered: ((answer: Answer | undefined) => void) | undefined

  constructor(port: number, closed: () => void) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setNoDelay(true)
    this.#socket.on('error', () => {})
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#socket.on('close', () => {
      closed()
      this.#settle(undefined)
    })
  }

  ask(text: string, answered: (answer: Answer | undefined) => void): void {
    this.isNew = false
    this.#answered = answered
    if (this.#socket.destroyed) this.#settle(undefined)
    else this.#socket.write(text)
  }

  /** Gives up on the request in flight, if there is one. */
  close(): void {
    this.#answered = undefined
    this.#socket.destroy()
  }

  #settle(answer: Answer | undefined): void {
    const answered = this.#answered
    this.#answered = undefined
    answered?.(answer)
  }

  #receive(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    const end = this.#pending.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = this.#pending.toString('latin1', 0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
    if (Number.isNaN(length)) throw new Error('the load generator only reads answers with a content-length')
    if (this.#pending.length < end + 4 + length) return
    this.#pending = this.#pending.subarray(end + 4 + length)
    this.#settle({ status: Number(head.slice(9, 12)), head })
  }
}
