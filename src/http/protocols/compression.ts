/**
 * gzip in both directions. The size is checked during decompression, so a decompression bomb costs no more than the
 * limit.
 */
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import type { Exchange } from '../exchange.ts'
import { work } from '../work.ts'
import { malformed, tooLarge } from './errors.ts'

const pack = promisify<Uint8Array, { level: number }, Buffer>(gzip)

/** The supported encodings, as a header value. */
export const ENCODINGS = 'gzip, identity'

/** Below this, compressing costs more than it saves. */
const WORTH_BYTES = 4096

/** How much is decompressed at a time. */
const CHUNK_BYTES = 16 * 1024

/** Decompresses one message or body, no further than allowed. */
export function decompress(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  // Some clients do not compress what is empty, yet say that they did.
  if (bytes.length === 0) return Promise.resolve(bytes)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const gunzip = createGunzip({ chunkSize: Math.min(CHUNK_BYTES, maxBytes + 1) })
    gunzip.on('data', (chunk: Buffer) => {
      size += chunk.length
      work.inflatedBytes += chunk.length
      chunks.push(chunk)
      if (size <= maxBytes) return
      gunzip.destroy()
      reject(tooLarge(maxBytes))
    })
    gunzip.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)))
    gunzip.on('error', () => reject(malformed('The compressed body is malformed.')))
    gunzip.end(bytes)
  })
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
