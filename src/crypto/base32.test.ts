import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { decodeBase32, encodeBase32 } from './base32.ts'

/** RFC 4648, section 10, without padding. */
const VECTORS = [
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
] as const

suite('base32', () => {
  test('writes and reads the vectors of RFC 4648', () => {
    for (const [plain, text] of VECTORS) {
      assert.equal(encodeBase32(Buffer.from(plain)), text)
      assert.equal(Buffer.from(decodeBase32(text) ?? []).toString(), plain)
    }
  })

  test('reads what it wrote, whatever the bytes', () => {
    for (let length = 0; length < 64; length++) {
      const bytes = randomBytes(length)
      assert.deepEqual(decodeBase32(encodeBase32(bytes)), Uint8Array.from(bytes))
    }
  })

  test('is read as people type it', () => {
    for (const typed of ['mzxw 6ytb oi', 'MZXW-6YTB-OI', 'MZXW6YTBOI======', ' mZxW6yTbOi ']) {
      assert.equal(Buffer.from(decodeBase32(typed) ?? []).toString(), 'foobar', typed)
    }
  })

  test('is not whatever has other characters or a length that no bytes have', () => {
    for (const typed of ['MZXW6YTB0I', 'MZXW1', '=MZXW6', 'MZ=W6', 'Ä', 'M', 'MZX', 'MZXW6Y', '🔑🔑']) {
      assert.equal(decodeBase32(typed), undefined, typed)
    }
  })
})
