/** A load generator for HTTP/1.1: raw sockets, one request in flight each, so that the server is what is measured. */
import { connect, type Socket } from 'node:net'
import type { Load } from './load.ts'

export interface Http1Request {
  readonly method: string
  /** A function is called for each request. */
  readonly path: string | (() => string)
  readonly headers: Readonly<Record<string, string>>
  /** Called for each request; without it, `headers` has the token. */
  readonly authorization?: () => string
  /** Called for each request, so that bodies can differ. */
  body(): Uint8Array
}

export interface Http1Load extends Load {
  readonly connections: number
  /** Requests that are not answered; connections that do not exist yet count too. */
  readonly inFlight: number
}

const LENGTH = Buffer.from('\r\ncontent-length: ')

/** Keeps `connections` requests in flight until `stop` and counts those answered with a status of success. */
export function loadHttp1(port: number, request: Http1Request, connections: number): Http1Load {
  const sockets: Socket[] = []
  const latencies: number[] = []
  let ok = 0
  let failed = 0
  let broken = 0
  let running = true
  let isPaused = false
  /** Sends the next request of each connection that waits for the end of a pause. */
  const waiting: (() => void)[] = []
  const fields = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const rest = ` HTTP/1.1\r\nhost: localhost\r\n${fields.join('')}`
  const headOf = () => {
    const path = typeof request.path === 'string' ? request.path : request.path()
    const authorization = request.authorization ? `authorization: ${request.authorization()}\r\n` : ''
    return `${request.method} ${path}${rest}${authorization}`
  }

  const open = () => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    sockets.push(socket)
    let pending: Buffer = Buffer.alloc(0)
    let sentAt = 0
    const send = () => {
      const body = request.body()
      sentAt = performance.now()
      socket.cork()
      socket.write(`${headOf()}content-length: ${body.length}\r\n\r\n`, 'latin1')
      socket.write(body)
      socket.uncork()
    }
    socket.on('connect', send)
    socket.on('error', () => {
      if (running) failed++
      broken++
    })
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const end = pending.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = contentLength(pending, end)
      if (length === undefined) throw new Error('the load generator only reads answers with a content-length')
      if (pending.length < end + 4 + length) return
      // 2xx: the first digit of the status, after "HTTP/1.1 ".
      if (pending[9] === 0x32) {
        ok++
        latencies.push(performance.now() - sentAt)
      } else failed++
      pending = pending.subarray(end + 4 + length)
      if (isPaused) waiting.push(send)
      else if (running) send()
    })
  }
  for (let index = 0; index < connections; index++) open()

  return {
    connections,
    get inFlight() {
      return connections - waiting.length - broken
    },
    take: () => {
      const taken = { ok, failed, latencies: latencies.splice(0) }
      ok = 0
      failed = 0
      return taken
    },
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
      for (const send of waiting.splice(0)) send()
    },
    stop: () => {
      running = false
      for (const socket of sockets) socket.destroy()
    },
  }
}

function contentLength(answer: Buffer, end: number): number | undefined {
  const header = answer.subarray(0, end)
  let at = header.indexOf(LENGTH)
  if (at < 0) at = header.indexOf('\r\nContent-Length: ')
  if (at < 0) return undefined
  return Number.parseInt(header.toString('latin1', at + LENGTH.length, at + LENGTH.length + 12), 10)
}
