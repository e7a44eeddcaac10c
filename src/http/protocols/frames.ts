/** gRPC frames: a flag, a length of four bytes and a message; also in the base64 form of gRPC-web-text. */

import { boundsBySize } from '../body.ts'
import { decodeBase64 } from '../codec/json-scalars.ts'
import { compress, decompress, isWorthCompressing } from './compression.ts'
import { malformed, notOneMessage, tooLarge, undeclaredCompression } from './errors.ts'

const HEAD_BYTES = 5
const COMPRESSED = 0x01
const TRAILERS = 0x80
const END_OF_STREAM = 0x02

function declaredLength(head: Buffer, maxBytes: number): number {
  const length = head.readUInt32BE(1)
  if (length > maxBytes) throw tooLarge(maxBytes)
  return length
}

/** One binary frame: its declared length is checked as soon as its head has arrived. */
export const framedBounds = boundsBySize((maxBytes) => ({
  maxBytes: maxBytes + HEAD_BYTES,
  messageBytes: maxBytes,
  head: {
    bytes: HEAD_BYTES,
    foresee: (head) => HEAD_BYTES + declaredLength(head, maxBytes),
    excess: notOneMessage,
  },
}))

/** Base64 can be padded piece by piece, so its length says little. Twice the usual length is allowed. */
function textBytes(binaryBytes: number) {
  return Math.ceil(binaryBytes / 3) * 8
}

/** One frame in base64. */
export const framedTextBounds = boundsBySize((maxBytes) => ({
  maxBytes: textBytes(maxBytes + HEAD_BYTES),
  messageBytes: maxBytes,
  head: {
    bytes: 8,
    foresee(head) {
      const bytes = decodeBase64(head.toString('latin1', 0, 8))
      if (bytes === undefined || bytes.length < HEAD_BYTES) return textBytes(maxBytes + HEAD_BYTES)
      return textBytes(HEAD_BYTES + declaredLength(bytes, maxBytes)) + 8
    },
    excess: notOneMessage,
  },
}))

/** The length of the frame at the beginning of these bytes, its head included; undefined while that has not arrived. */
export function frameLength(bytes: Buffer, maxBytes: number): number | undefined {
  return bytes.length < HEAD_BYTES ? undefined : HEAD_BYTES + declaredLength(bytes, maxBytes)
}

/** The message inside the one frame of a body; still compressed when `isCompressed`. */
function openFrame(body: Buffer, maxBytes: number): { readonly isCompressed: boolean; readonly message: Buffer } {
  if (body.length === 0) throw notOneMessage()
  if (body.length < HEAD_BYTES) throw malformed('The request frame is incomplete.')
  const flags = body.readUInt8(0)
  if (flags !== 0 && flags !== COMPRESSED) throw malformed('The request frame has an unknown flag.')
  const end = HEAD_BYTES + declaredLength(body, maxBytes)
  if (body.length < end) throw malformed('The request frame is incomplete.')
  if (body.length > end) throw notOneMessage()
  return { isCompressed: flags === COMPRESSED, message: body.subarray(HEAD_BYTES) }
}

/** The message of a framed body, decompressed if need be. */
export function readFrame(body: Buffer, encoding: string | undefined, maxBytes: number): Buffer | Promise<Buffer> {
  const { isCompressed, message } = openFrame(body, maxBytes)
  if (!isCompressed) return message
  if (encoding !== 'gzip') throw undeclaredCompression()
  return decompress(message, maxBytes)
}

/** Decodes base64 text that can consist of several pieces, each with its own padding. */
export function decodeText(text: Buffer): Buffer {
  const pieces = text.toString('latin1').match(/[^=]+={0,2}|=+/g) ?? []
  const parts = pieces.map((piece) => {
    const bytes = piece.length % 4 === 0 ? decodeBase64(piece) : undefined
    if (bytes === undefined) throw malformed('The body is not valid base64.')
    return bytes
  })
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
}

/** One frame; by default that of a message which is not compressed. */
export function frameOf(message: Uint8Array, flags = 0): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + message.length)
  frame.writeUInt8(flags, 0)
  frame.writeUInt32BE(message.length, 1)
  frame.set(message, HEAD_BYTES)
  return frame
}

/** The frame of a response, compressed if it is large and the caller accepts that. */
export function writeFrame(message: Uint8Array, accepted: string | undefined): Buffer | Promise<Buffer> {
  return isWorthCompressing(message.length, accepted)
    ? compress(message).then((smaller) => frameOf(smaller, COMPRESSED))
    : frameOf(message)
}

/** The last frame of a gRPC-web response: the trailers as header lines. */
export function trailersFrame(fields: readonly string[]): Buffer {
  let lines = ''
  for (let index = 0; index + 1 < fields.length; index += 2) lines += `${fields[index]}: ${fields[index + 1]}\r\n`
  return frameOf(Buffer.from(lines, 'latin1'), TRAILERS)
}

/** The last frame of a stream of Connect: JSON with the error, if there is one. */
export function endOfStreamFrame(json: string): Buffer {
  return frameOf(Buffer.from(json), END_OF_STREAM)
}
