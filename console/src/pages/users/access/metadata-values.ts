/** Values of metadata are bytes: shown and typed as text where they are text, else as base64. */
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

export interface ShownValue {
  readonly text: string
  readonly isBinary: boolean
}

/** The value as text, or as base64 when it is not text. */
export function shownValue(value: Uint8Array): ShownValue {
  try {
    const text = strictUtf8.decode(value)
    // Control characters would be lost in a field.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
    if (!/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) return { text, isBinary: false }
  } catch {
    // Not text.
  }
  return { text: base64Encode(value), isBinary: true }
}

/** The bytes of what was typed; undefined when it should be base64 and is not. */
export function bytesOf(text: string, isBinary: boolean): Uint8Array<ArrayBuffer> | undefined {
  if (!isBinary) return new TextEncoder().encode(text)
  try {
    return new Uint8Array(base64Decode(text.trim()))
  } catch {
    return undefined
  }
}
