/** Finds out where the server will listen, and that it can, before anything is made that a failed start would leave behind. */
import { type AddressInfo, createServer } from 'node:net'
import type { Listen } from '../config/index.ts'

/** Opens and closes a listener there; rejects when the address is taken or not ours. */
export function tryListen({ host, port }: Listen): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      const { port: found } = server.address() as AddressInfo
      server.close(() => resolve(found))
    })
  })
}

/** The same address with a real port in the place of 0; rejects when the port cannot be opened now. */
export async function settlePort(listen: Listen): Promise<Listen> {
  return {
    host: listen.host,
    port: await tryListen(listen),
  }
}
