/** Reads a request body up to its size limit. A body that is too long is refused as soon as this is known. */
import type { Readable } from 'node:stream'
import { cancelled, type Failed, tooLarge } from './protocols/errors.ts'

/** The size limits of a body. */
export interface Bounds {
  readonly maxBytes: number
  /** What the caller is told of the limit, where frames take some of `maxBytes`. */
  readonly messageBytes?: number
  /** For framed bodies: what to learn from the first bytes. */
  readonly head?: {
    readonly bytes: number
    /**
     * Returns the allowed length of the whole body, according to its head. Throws when the body must not be read at
     * all.
     */
    foresee(head: Buffer): number
    /** Returns the refusal of a body that is longer than its head says. */
    excess(): Failed
  }
}

/** Makes the bounds of a protocol for each size of message once; there are few sizes. */
export function boundsBySize(make: (maxBytes: number) => Bounds): (maxBytes: number) => Bounds {
  const made = new Map<number, Bounds>()
  return (maxBytes) => {
    let bounds = made.get(maxBytes)
    if (bounds === undefined) {
      bounds = make(maxBytes)
      made.set(maxBytes, bounds)
    }
    return bounds
  }
}

/** A body without frames. */
export const plainBounds = boundsBySize((maxBytes) => ({ maxBytes }))

/** The refusal of a body that is out of its bounds. */
export function outOfBounds({ maxBytes, messageBytes = maxBytes }: Bounds): Failed {
  return tooLarge(messageBytes)
}

const EMPTY = Buffer.alloc(0)

/**
 * Reads the whole body. On a refusal the source is paused, so that nothing more is read from the client. The caller
 * must then close the stream or the connection.
 */
export function readBody(source: Readable, bounds: Bounds): Promise<Buffer> {
  const { maxBytes, head } = bounds
  // Without a body, an HTTP/2 stream ends even if it is not read.
  if (source.readableEnded) return Promise.resolve(EMPTY)
  if (source.destroyed) return Promise.reject(cancelled())
  return new Promise((resolve, reject) => {
    let limit = maxBytes
    let buffer: Buffer = EMPTY
    let size = 0
    let hasForeseen = head === undefined

    const keep = (chunk: Buffer) => {
      if (size === 0) buffer = chunk
      else {
        // Chunks can be as small as a byte. As separate buffers they would need far more memory than the limit.
        if (size + chunk.length > buffer.length) {
          const larger = Buffer.allocUnsafe(Math.max(2 * size, size + chunk.length))
          buffer.copy(larger, 0, 0, size)
          buffer = larger
        }
        chunk.copy(buffer, size)
      }
      size += chunk.length
    }

    const take = (chunk: Buffer) => {
      try {
        if (size + chunk.length > limit) throw hasForeseen && head !== undefined ? head.excess() : outOfBounds(bounds)
        keep(chunk)
        if (hasForeseen || head === undefined || size < head.bytes) return
        hasForeseen = true
        limit = head.foresee(buffer.subarray(0, size))
        if (size > limit) throw head.excess()
      } catch (error) {
        source.off('data', take)
        source.pause()
        buffer = EMPTY
        reject(error)
      }
    }
    source.on('data', take)
    let isWhole = false
    source.on('end', () => {
      isWhole = true
      resolve(size === buffer.length ? buffer : buffer.subarray(0, size))
    })
    source.on('close', () => {
      if (!isWhole) reject(cancelled())
    })
  })
}
