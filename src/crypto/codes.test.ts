import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  CODE_ALPHABET,
  hashShortCode,
  LONG_CODE_LENGTH,
  matchesShortCode,
  newDigitCode,
  newLongCode,
  newShortCode,
} from './codes.ts'
import { keyRing, newKey } from './key-ring.ts'

const key = newKey()
const ring = keyRing([key])

suite('one-time codes', () => {
  test('a long code carries 160 bits, a short one 40, and both keep to the alphabet', () => {
    assert.equal(CODE_ALPHABET.length, 32)
    assert.equal(new Set(CODE_ALPHABET).size, 32)
    assert.ok(LONG_CODE_LENGTH * 5 >= 160)
    assert.match(newLongCode(), new RegExp(`^[${CODE_ALPHABET}]{${LONG_CODE_LENGTH}}$`))
    assert.match(newShortCode(), new RegExp(`^[${CODE_ALPHABET}]{8}$`))
    assert.match(newDigitCode(), /^[0-9]{8}$/)
  })

  test('every byte leads to a character, evenly', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const counts = new Map<string, number>()
    for (const char of newShortCode(256, () => bytes)) counts.set(char, (counts.get(char) ?? 0) + 1)
    assert.deepEqual([...counts.values()], Array(32).fill(8))
  })

  test('a short code counts only for the purpose it was made for', () => {
    const hash = hashShortCode(ring, ['verify_email', 'u1'], '123456')
    assert.ok(matchesShortCode(ring, ['verify_email', 'u1'], '123456', hash))
    assert.ok(!matchesShortCode(ring, ['verify_email', 'u2'], '123456', hash))
    assert.ok(!matchesShortCode(ring, ['reset_password', 'u1'], '123456', hash))
    assert.ok(!matchesShortCode(ring, ['verify_email'], 'u1123456', hash))
    assert.ok(!matchesShortCode(ring, ['verify_email', 'u1'], '123457', hash))
  })

  test('a short code cannot be checked without the server key, and lives on beside a new one', () => {
    const hash = hashShortCode(ring, ['p'], 'ABCD')
    assert.ok(!matchesShortCode(keyRing([newKey()]), ['p'], 'ABCD', hash))
    assert.ok(matchesShortCode(keyRing([newKey(), key]), ['p'], 'ABCD', hash))
    for (const broken of ['', 'mac1', `mac1.${key.id}`, `mac1.${key.id}.AA`, hash.replace('mac1', 'mac2')]) {
      assert.ok(!matchesShortCode(ring, ['p'], 'ABCD', broken))
    }
  })
})
