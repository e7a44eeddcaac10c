/** Finds out where the server will listen, and that it can, before anything is made that a failed start would leave behind. */
import { type AddressInfo, createServer } from 'node:net'
import type { Listen } from '../config/index.ts'
import { meaningOf, SettingRefused } from './setting-refused.ts'

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

/** An address with a real port in the place of 0; rejects when the port cannot be opened now. */
export async function settlePort(
  { host, port }: Listen,
  setting: 'SIGNET_LISTEN' | 'SIGNET_METRICS_LISTEN' = 'SIGNET_LISTEN',
): Promise<Listen> {
  try {
    return { host, port: await tryListen({ host, port }) }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const isLow = code === 'EACCES' && port < 1024
    const problem = isLow ? 'is a port that this user may not open (below 1024)' : meaningOf(error)
    throw new SettingRefused(setting, `${host}:${port} ${problem}.`)
  }
}
