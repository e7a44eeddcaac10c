/** A reply whose body is the bare message, compressed when that is worth it; shared by Connect and REST. */

import type { Exchange } from '../exchange.ts'
import { compress, isWorthCompressing } from './compression.ts'

/** Sends a success. */
export function replyWith(
  exchange: Exchange,
  status: number,
  headers: readonly string[],
  body: Uint8Array | string,
): void | Promise<void> {
  if (!isWorthCompressing(body.length, exchange.header('accept-encoding'))) {
    exchange.reply({ status, code: 0, headers, body })
    return
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return compress(bytes).then((smaller) =>
    exchange.reply({
      status,
      code: 0,
      headers: [...headers, 'content-encoding', 'gzip', 'vary', 'accept-encoding'],
      body: smaller,
    }),
  )
}
