/** QR codes, read back from their pixels. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import decodeQR from 'qr/decode.js'
import { type Modules, qrCode } from './qr.ts'

/** How many pixels a module has in each direction. */
const SCALE = 4

function read(modules: Modules): string {
  const size = modules.length * SCALE
  const data = new Uint8ClampedArray(size * size * 4).fill(255)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const isDark = modules[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)] === true
      if (isDark) data.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3)
    }
  }
  return decodeQR({ width: size, height: size, data })
}

suite('a QR code', () => {
  test('says what was written, whatever its size', () => {
    for (const length of [14, 84, 213, 666]) {
      const written = `otpauth://totp/ä?${'secret'.repeat(200)}`.slice(0, length - 1)
      assert.equal(read(qrCode(written) ?? assert.fail()), written)
    }
  })

  test('has four light modules on every side', () => {
    const modules = qrCode('quiet') ?? assert.fail()
    const sides = [modules, modules.toReversed(), modules.map((_, x) => modules.map((row) => row[x] === true))]
    for (const rows of [...sides, (sides[2] ?? []).toReversed()]) {
      assert.ok(rows.slice(0, 4).every((row) => !row.includes(true)))
      assert.ok(rows[4]?.includes(true))
    }
  })

  test('is not made of more than a camera can read', () => {
    assert.ok(qrCode('x'.repeat(666)))
    assert.equal(qrCode('x'.repeat(667)), undefined)
    assert.equal(qrCode('ä'.repeat(334)), undefined)
  })
})
