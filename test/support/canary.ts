/** A local listener that must not be reached. It counts the connections. */
import { createServer } from 'node:net'

export interface Canary {
  readonly port: number
  readonly connections: () => number
  close(): void
}

export async function openCanary(host = '127.0.0.1'): Promise<Canary> {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((ready) => server.listen(0, host, ready))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { port: address.port, connections: () => connections, close: () => server.close() }
}
