/** QR codes, read back by a reader that knows only the standard. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Modules, qrCode } from './qr.ts'

/** ISO/IEC 18004, table C.1: the format of level M by mask. */
const FORMATS = [
  '101010000010010',
  '101000100100101',
  '101111001111100',
  '101101101001011',
  '100010111111001',
  '100000011001110',
  '100111110010111',
  '100101010100000',
]
/** Table D.1: what versions say about themselves. */
const VERSIONS: Readonly<Record<number, string>> = {
  7: '000111110010010100',
  10: '001010010011010011',
  20: '010100100110100110',
}
/** Table 9, level M: blocks as [count, data codewords], and codewords of error correction in each. */
const BLOCKS: Readonly<Record<number, readonly [checks: number, ...blocks: readonly (readonly [number, number])[]]>> = {
  1: [10, [1, 16]],
  5: [24, [2, 43]],
  7: [18, [4, 31]],
  8: [22, [2, 38], [2, 39]],
  9: [22, [3, 36], [2, 37]],
  10: [26, [4, 43], [1, 44]],
  14: [24, [4, 40], [5, 41]],
  20: [26, [3, 41], [13, 42]],
}
/** Table E.1. */
const ALIGNMENTS: Readonly<Record<number, readonly number[]>> = {
  1: [],
  5: [6, 30],
  7: [6, 22, 38],
  8: [6, 24, 42],
  9: [6, 26, 46],
  10: [6, 28, 50],
  14: [6, 26, 46, 66],
  20: [6, 34, 62, 90],
}
const MASKS: readonly ((i: number, j: number) => number)[] = [
  (i, j) => (i + j) % 2,
  (i) => i % 2,
  (_, j) => j % 3,
  (i, j) => (i + j) % 3,
  (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2,
  (i, j) => ((i * j) % 2) + ((i * j) % 3),
  (i, j) => (((i * j) % 3) + i * j) % 2,
  (i, j) => (((i * j) % 3) + i + j) % 2,
]

function dark(modules: Modules, row: number, column: number): boolean {
  return modules[row]?.[column] === true
}
function bits(ones: readonly boolean[]): string {
  return ones.map((one) => (one ? '1' : '0')).join('')
}

function isPattern(version: number, size: number, row: number, column: number): boolean {
  const near = (at: number) => at <= 8
  const far = (at: number) => at >= size - 8
  if ((near(row) && (near(column) || far(column))) || (far(row) && near(column))) return true
  if (row === 6 || column === 6) return true
  if (version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11))) return true
  const middles = ALIGNMENTS[version] ?? assert.fail()
  return middles.some((y) =>
    middles.some((x) => {
      const isFinder = (y === 6 && (x === 6 || x === size - 7)) || (x === 6 && y === size - 7)
      return !isFinder && Math.abs(row - y) <= 2 && Math.abs(column - x) <= 2
    }),
  )
}

const LOG: number[] = []
const POWER: number[] = []
for (let index = 0, value = 1; index < 255; index++) {
  POWER[index] = value
  LOG[value] = index
  value = value << 1 > 255 ? (value << 1) ^ 0x11d : value << 1
}
function multiply(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : (POWER[((LOG[a] ?? 0) + (LOG[b] ?? 0)) % 255] ?? 0)
}

/** All syndromes of a whole block are zero. */
function isWhole(block: readonly number[], checks: number): boolean {
  return Array.from({ length: checks }, (_, power) =>
    block.reduce((sum, byte) => multiply(sum, POWER[power] ?? 0) ^ byte, 0),
  ).every((syndrome) => syndrome === 0)
}

function read(modules: Modules): { readonly version: number; readonly text: string } {
  const size = modules.length
  const version = (size - 17) / 4
  const rows = [0, 1, 2, 3, 4, 5, 7, 8]
  const besideFinder = [
    ...rows.map((row) => dark(modules, row, 8)),
    ...[7, 5, 4, 3, 2, 1, 0].map((column) => dark(modules, 8, column)),
  ]
  const format = bits(besideFinder.toReversed())
  const elsewhere = [
    ...Array.from({ length: 8 }, (_, at) => dark(modules, 8, size - 1 - at)),
    ...Array.from({ length: 7 }, (_, at) => dark(modules, size - 7 + at, 8)),
  ]
  assert.equal(bits(elsewhere.toReversed()), format)
  assert.ok(dark(modules, size - 8, 8))
  const mask = FORMATS.indexOf(format)
  assert.notEqual(mask, -1, format)
  if (version >= 7) {
    const about = Array.from({ length: 18 }, (_, at) => dark(modules, Math.floor(at / 3), size - 11 + (at % 3)))
    const mirrored = Array.from({ length: 18 }, (_, at) => dark(modules, size - 11 + (at % 3), Math.floor(at / 3)))
    assert.deepEqual(about, mirrored)
    if (VERSIONS[version]) assert.equal(bits(about.toReversed()), VERSIONS[version])
  }

  const stream: boolean[] = []
  let isUp = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const row = isUp ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (isPattern(version, size, row, column)) continue
        stream.push(dark(modules, row, column) !== (MASKS[mask]?.(row, column) === 0))
      }
    }
    isUp = !isUp
  }
  const words = (bits(stream).match(/.{8}/g) ?? []).map((one) => Number.parseInt(one, 2))

  const [checks, ...groups] = BLOCKS[version] ?? assert.fail(`version ${version}`)
  const lengths = groups.flatMap(([count, length]) => Array.from({ length: count }, () => length))
  const blocks = lengths.map(() => [] as number[])
  let next = 0
  for (let at = 0; at < Math.max(...lengths); at++) {
    for (const [index, block] of blocks.entries()) if (at < (lengths[index] ?? 0)) block.push(words[next++] ?? -1)
  }
  const data = blocks.flatMap((block) => [...block])
  for (let at = 0; at < checks; at++) for (const block of blocks) block.push(words[next++] ?? -1)
  assert.equal(next, words.length)
  assert.ok(blocks.every((block) => isWhole(block, checks)))
  const text = data.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  assert.equal(text.slice(0, 4), '0100')
  const countBits = version < 10 ? 8 : 16
  const length = Number.parseInt(text.slice(4, 4 + countBits), 2)
  const bytes = text.slice(4 + countBits).match(/.{8}/g) ?? []
  return { version, text: Buffer.from(bytes.slice(0, length).map((one) => Number.parseInt(one, 2))).toString() }
}

suite('a QR code', () => {
  test('says what was written, in every size that has blocks or patterns of its own', () => {
    for (const [version, longest] of [
      [1, 14],
      [5, 84],
      [7, 122],
      [8, 152],
      [9, 180],
      [10, 213],
      [14, 362],
      [20, 666],
    ] as const) {
      const written = `otpauth://totp/ä?${'secret'.repeat(200)}`.slice(0, longest - 1)
      const modules = qrCode(written) ?? assert.fail()
      assert.deepEqual(read(modules), { version, text: written })
    }
  })

  test('begins with its three eyes', () => {
    const modules = qrCode('eyes') ?? assert.fail()
    const eye = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111']
    const at = (row: number, column: number) =>
      eye.map((_, y) => bits(Array.from({ length: 7 }, (_, x) => dark(modules, row + y, column + x))))
    for (const [row, column] of [
      [0, 0],
      [0, 14],
      [14, 0],
    ] as const)
      assert.deepEqual(at(row, column), eye)
  })

  test('is not made of more than it can hold', () => {
    assert.equal(qrCode('x'.repeat(667)), undefined)
  })
})
