/** A TCP proxy that can lose a message or a whole connection on its way, to see what becomes of an answer that never arrives. */
import { connect, createServer, type Socket } from 'node:net'

export interface LossyProxy {
  readonly port: number
  /**
   * Waits for a message to the server that contains `word`, then cuts that connection: before it reaches the server
   * (`request`), at once after it was passed on (`waiting`), or when the server answers it (`reply`).
   * Resolves when the cut is made.
   */
  cutOnce(word: string, moment: 'request' | 'waiting' | 'reply'): Promise<void>
  /**
   * Waits for a message to the server that contains `word`, and answers it as a pooler or a coordinator does that lost its own
   * connection: with an error, once the server has done what was asked, or without asking it.
   */
  failOnce(word: string, error: { readonly code: string; readonly isDone: boolean }): Promise<void>
  /** Makes all connections half-open: nothing passes in either direction any more, and neither side learns of it. */
  silence(): number
  close(): Promise<void>
}

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

/** ErrorResponse with the severity ERROR, then ReadyForQuery. */
function errorOf(code: string): Buffer {
  const fields = ['SERROR', 'VERROR', `C${code}`, 'Mserver closed the connection unexpectedly']
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`)
  return Buffer.concat([message('E', body), message('Z', Buffer.from('I'))])
}

/** Listens on a random port and passes everything on to `target`. */
export async function startProxy(target: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>()
  const links = new Set<{ isSilent: boolean }>()
  let failing: { word: string; code: string; isDone: boolean; sprung: () => void } | undefined
  let trap: { word: string; moment: 'request' | 'waiting' | 'reply'; sprung: () => void } | undefined

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    let isReplyTrapped: (() => void) | undefined
    let answer: (() => void) | undefined
    const link = { isSilent: false }
    links.add(link)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        links.delete(link)
        if (link.isSilent) return
        // Data that was passed on is still delivered: the server sees the end only after the statement.
        client.destroy()
        upstream.end()
      })
    }
    client.on('data', (data) => {
      if (link.isSilent) return
      if (failing && data.includes(failing.word)) {
        const { code, isDone, sprung } = failing
        failing = undefined
        const fail = () => {
          client.write(errorOf(code))
          sprung()
        }
        if (!isDone) return fail()
        answer = fail
      }
      if (trap && data.includes(trap.word)) {
        const { moment, sprung } = trap
        trap = undefined
        if (moment !== 'request') upstream.write(data)
        if (moment === 'reply') isReplyTrapped = sprung
        else {
          client.destroy()
          sprung()
        }
        return
      }
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (link.isSilent) return
      if (answer !== undefined) {
        answer()
        answer = undefined
      } else if (!isReplyTrapped) client.write(data)
      else {
        client.destroy()
        isReplyTrapped()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cutOnce: (word, moment) =>
      new Promise((resolve) => {
        trap = { word, moment, sprung: resolve }
      }),
    failOnce: (word, error) =>
      new Promise((resolve) => {
        failing = { word, ...error, sprung: resolve }
      }),
    silence() {
      for (const link of links) link.isSilent = true
      return links.size
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
