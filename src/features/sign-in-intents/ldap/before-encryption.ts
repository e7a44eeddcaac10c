/**
 * What a server sends before a connection is encrypted is the answer to StartTLS and nothing else. Whatever somebody on the way
 * put behind it would be read as if it had come encrypted (RFC 4513 §3.1.1), because the library keeps what it has not read.
 */
import type { Socket } from '../../../outbound/socket.ts'
import { SignInFailed } from '../sign-in-failed.ts'

/** The longest header of a message: a tag, the length of the length, and four bytes. */
const LONGEST_HEADER = 6

/** The bytes of a message with its header (X.690 §8.1.3); undefined when it is none that anybody sends. */
export function lengthOfMessage(header: Uint8Array): number | undefined {
  const [tag, first = 0] = header
  if (tag !== 0x30) return undefined
  if (first < 0x80) return 2 + first
  const count = first - 0x80
  if (count === 0 || count > 4) return undefined
  return header.slice(2, 2 + count).reduce((length, byte) => length * 256 + byte, 0) + 2 + count
}

/** Watches a connection that is about to be encrypted. The function that it returns throws unless one message came. */
export function watchBeforeEncryption(socket: Socket): () => void {
  let bytes = 0
  let header = Buffer.alloc(0)
  const watch = (chunk: Buffer) => {
    bytes += chunk.length
    header = Buffer.concat([header, chunk.subarray(0, LONGEST_HEADER - header.length)])
  }
  socket.on('data', watch)
  return () => {
    socket.off('data', watch)
    if (lengthOfMessage(header) !== bytes) throw new SignInFailed('provider_error')
  }
}
