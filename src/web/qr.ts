/** QR codes (ISO/IEC 18004), with the library `qr`. */
import { encodeQR } from 'qr'

/** Around a symbol nothing may be written for four modules (§9.1). */
const QUIET = 4

/** What fits into version 20 at level M. Cameras of phones hardly read larger symbols on a screen. */
const MOST_BYTES = 666

/** The rows of a symbol, with the quiet zone around it; dark is true. */
export type Modules = readonly (readonly boolean[])[]

/** The symbol of a text; undefined when the text is too long. */
export function qrCode(text: string): Modules | undefined {
  if (Buffer.byteLength(text) > MOST_BYTES) return undefined
  return encodeQR(text, 'raw', { ecc: 'medium', border: QUIET })
}
