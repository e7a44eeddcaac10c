/** `signet ready`: asks the server that these settings start on this machine whether it is ready, for images without other programs. */
import { get, type IncomingMessage } from 'node:http'
import { get as getByTls, type RequestOptions } from 'node:https'
import type { Config } from '../config/index.ts'

const LONGEST_MS = 2500

/** The answer of `/readyz`, or why there is none. */
export function askReady({ listen, tlsCertFile }: Config): Promise<number | string> {
  const host = listen.host === '0.0.0.0' ? '127.0.0.1' : listen.host === '::' ? '::1' : listen.host
  const address: RequestOptions = { host, port: listen.port, path: '/readyz', signal: AbortSignal.timeout(LONGEST_MS) }
  return new Promise((resolve) => {
    const take = ({ statusCode = 0 }: IncomingMessage) => resolve(statusCode)
    // The certificate is for the public name. Nothing is sent, and nothing but the status is read.
    const request = tlsCertFile ? getByTls({ ...address, rejectUnauthorized: false }, take) : get(address, take)
    request.on('error', ({ message }) => resolve(message))
  })
}
