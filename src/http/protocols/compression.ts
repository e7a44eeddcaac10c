/**
 * gzip in both directions. The size is checked during decompression, so a decompression bomb costs no more than the
 * limit.
 */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Exchange } from '../exchange.ts'
import { MAX_REQUEST_BYTES, malformed, tooLarge } from './errors.ts'

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)
const pack = promisify<Uint8Array, { level: number }, Buffer>(gzip)

/** The supported encodings, as a header value. */
export const ENCODINGS = 'gzip, identity'

/** Below this, compressing costs more than it saves. */
const WORTH_BYTES = 4096

/** Decompresses one message or body. */
export async function decompress(bytes: Buffer): Promise<Buffer> {
  // Some clients do not compress an empty message but say that they did.
  if (bytes.length === 0) return bytes
  try {
    return await unpack(bytes, { maxOutputLength: MAX_REQUEST_BYTES })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge()
      : malformed('The compressed body is malformed.')
  }
}

/** Whether a response of this size is compressed for a caller who accepts these encodings. */
export function isWorthCompressing(size: number, accepted: string | undefined): boolean {
  return size >= WORTH_BYTES && accepted !== undefined && acceptsGzip(accepted)
}

function acceptsGzip(accepted: string): boolean {
  return accepted.split(',').some((item) => {
    const [name = '', ...parameters] = item.split(';')
    return name.trim().toLowerCase() === 'gzip' && !parameters.some((one) => /^\s*q=0(\.0*)?\s*$/i.test(one))
  })
}

/** Compresses a response. Prefers speed over size, because the first level saves the most. */
export function compress(bytes: Uint8Array): Promise<Buffer> {
  return pack(bytes, { level: 1 })
}

/** Sends a successful response whose body is the bare message, compressed if that is useful. */
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
