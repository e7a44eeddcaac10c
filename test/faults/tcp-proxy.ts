/** A TCP proxy that can lose a message on its way, to see what becomes of a statement whose answer never arrives. */
import { connect, createServer, type Socket } from 'node:net'

export interface LossyProxy {
  readonly port: number
  /**
   * Waits for a message to the server that contains `word`, then cuts that connection: before it reaches the server
   * (`request`), at once after it was passed on (`waiting`), or when the server answers it (`reply`).
   * Resolves when the cut is made.
   */
  cutOnce(word: string, moment: 'request' | 'waiting' | 'reply'): Promise<void>
  close(): Promise<void>
}

/** Listens on a random port and passes everything on to `target`. */
export async function startProxy(target: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>()
  let trap: { word: string; moment: 'request' | 'waiting' | 'reply'; sprung: () => void } | undefined

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    let isReplyTrapped: (() => void) | undefined
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        // Data that was passed on is still delivered: the server sees the end only after the statement.
        client.destroy()
        upstream.end()
      })
    }
    client.on('data', (data) => {
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
      if (!isReplyTrapped) client.write(data)
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
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
