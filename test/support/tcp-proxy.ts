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
  /** Makes all connections half-open: nothing passes in either direction any more, and neither side learns of it. */
  silence(): number
  close(): Promise<void>
}

/** Listens on a random port and passes everything on to `target`. */
export async function startProxy(target: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>()
  const links = new Set<{ isSilent: boolean }>()
  let trap: { word: string; moment: 'request' | 'waiting' | 'reply'; sprung: () => void } | undefined

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    let isReplyTrapped: (() => void) | undefined
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
