/** QR codes (ISO/IEC 18004) of bytes with error correction M, up to version 20: enough for what authenticator apps read. Pure. */

/** Table 9, level M, by version: codewords of error correction in a block, and how many blocks there are. */
const CHECKS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]

/** Dark is true. */
export type Modules = readonly (readonly boolean[])[]

/** Annex E: where the middles of alignment patterns are. */
function alignments(version: number): readonly number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const last = version * 4 + 10
  const step = Math.ceil((last - 6) / (2 * (count - 1))) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - step * (count - 2 - index))]
}

function codewordsIn(version: number): number {
  const aligned = alignments(version).length
  const patterns = aligned === 0 ? 0 : aligned * aligned * 25 - 10 * aligned - 55
  return Math.floor(((16 * version + 128) * version + 64 - patterns - (version >= 7 ? 36 : 0)) / 8)
}

function dataIn(version: number): number {
  return codewordsIn(version) - (CHECKS[version - 1] ?? 0) * (BLOCKS[version - 1] ?? 0)
}

/** Multiplies in GF(2⁸) modulo x⁸+x⁴+x³+x²+1. */
function times(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((other >>> bit) & 1) * one
  }
  return product
}

/** The remainder after division by (x−1)(x−2)(x−4)…, which makes up the error correction of a block. */
function checksOf(data: readonly number[], count: number): readonly number[] {
  let generator = [1]
  for (let index = 0, root = 1; index < count; index++, root = times(root, 2)) {
    const shifted = [...generator, 0]
    generator = shifted.map((value, at) => value ^ times(generator[at - 1] ?? 0, root))
  }
  let rest = Array.from({ length: count }, () => 0)
  for (const byte of data) {
    const factor = byte ^ (rest[0] ?? 0)
    rest = [...rest.slice(1), 0].map((value, at) => value ^ times(generator[at + 1] ?? 0, factor))
  }
  return rest
}

/** Mode, length, bytes, end and padding, then cut into blocks, checked and interleaved. */
function codewords(bytes: Uint8Array, version: number): readonly number[] {
  const bits = `0100${bytes.length.toString(2).padStart(version < 10 ? 8 : 16, '0')}`
  const text = bits + Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const size = dataIn(version)
  const ended = text + '0'.repeat(Math.min(4, size * 8 - text.length))
  const data = (ended.padEnd(Math.ceil(ended.length / 8) * 8, '0').match(/.{8}/g) ?? []).map((one) => parseInt(one, 2))
  for (let pad = 0xec; data.length < size; pad ^= 0xec ^ 0x11) data.push(pad)
  const blockCount = BLOCKS[version - 1] ?? 1
  const checkCount = CHECKS[version - 1] ?? 0
  const short = Math.floor(size / blockCount)
  const firstLong = blockCount - (size % blockCount)
  let from = 0
  const blocks = Array.from({ length: blockCount }, (_, index) => {
    const until = from + short + (index < firstLong ? 0 : 1)
    const block = data.slice(from, until)
    from = until
    return { block, checks: checksOf(block, checkCount) }
  })
  const column = (length: number, pick: (index: number) => readonly (number | undefined)[]) =>
    Array.from({ length }, (_, index) => pick(index).filter((value) => value !== undefined)).flat()
  return [
    ...column(short + 1, (index) => blocks.map(({ block }) => block[index])),
    ...column(checkCount, (index) => blocks.map(({ checks }) => checks[index])),
  ]
}

/** Annex C and D: a BCH code over the bits. */
function bch(value: number, generator: number, degree: number): number {
  let rest = value << degree
  for (let bit = 31; bit >= degree; bit--) if ((rest >>> bit) & 1) rest ^= generator << (bit - degree)
  return (value << degree) | rest
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Everything that is the same whatever is written; undefined where data may stand. */
function patternsOf(version: number, mask: number): (boolean | undefined)[][] {
  const size = version * 4 + 17
  const grid: (boolean | undefined)[][] = Array.from({ length: size }, () => Array(size).fill(undefined))
  const set = (x: number, y: number, isDark: boolean): void => {
    const row = grid[y]
    if (row !== undefined && x >= 0 && x < size) row[x] = isDark
  }
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  for (const [middleX, middleY] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    for (let y = -4; y <= 4; y++) {
      for (let x = -4; x <= 4; x++) {
        const ring = Math.max(Math.abs(x), Math.abs(y))
        set(middleX + x, middleY + y, ring !== 2 && ring !== 4)
      }
    }
  }
  const middles = alignments(version)
  for (const middleY of middles) {
    for (const middleX of middles) {
      const isFinder = (at: number, other: number) => at === 6 && (other === 6 || other === size - 7)
      if (isFinder(middleX, middleY) || isFinder(middleY, middleX)) continue
      for (let y = -2; y <= 2; y++) {
        for (let x = -2; x <= 2; x++) set(middleX + x, middleY + y, Math.max(Math.abs(x), Math.abs(y)) !== 1)
      }
    }
  }
  // Level M is 00, so the mask alone is the data of the format.
  const format = bch(mask, 0x537, 10) ^ 0x5412
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((format >>> bit) & 1) === 1
    set(8, bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, isDark)
    set(bit < 8 ? size - 1 - bit : bit < 9 ? 15 - bit : 14 - bit, 8, isDark)
  }
  set(8, size - 8, true)
  if (version >= 7) {
    const about = bch(version, 0x1f25, 12)
    for (let bit = 0; bit < 18; bit++) {
      const [far, near] = [size - 11 + (bit % 3), Math.floor(bit / 3)]
      set(far, near, ((about >>> bit) & 1) === 1)
      set(near, far, ((about >>> bit) & 1) === 1)
    }
  }
  return grid
}

/** Two columns at a time from the right, up and down, around the patterns (§7.7.3). */
function fill(grid: (boolean | undefined)[][], words: readonly number[], mask: number): Modules {
  const size = grid.length
  const isMasked = MASKS[mask] ?? (() => false)
  const isDark = (index: number) => (((words[index >>> 3] ?? 0) >>> (7 - (index & 7))) & 1) === 1
  let index = 0
  for (let right = size - 1; right >= 1; right -= right === 8 ? 3 : 2) {
    const isUpward = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step++) {
      const y = isUpward ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        const row = grid[y]
        if (row === undefined || row[x] !== undefined) continue
        row[x] = isDark(index++) !== isMasked(x, y)
      }
    }
  }
  return grid.map((row) => row.map((one) => one === true))
}

/** §7.8.3: how hard a symbol is to read. */
function penaltyOf(modules: Modules): number {
  const size = modules.length
  const columns = modules.map((_, x) => modules.map((row) => row[x] === true))
  let penalty = 0
  for (const line of [...modules, ...columns]) {
    const text = line.map((one) => (one ? '1' : '0')).join('')
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2
    for (const _ of text.matchAll(/(?=00001011101|10111010000)/g)) penalty += 40
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const here = modules[y]?.[x]
      if (here === modules[y - 1]?.[x] && here === modules[y]?.[x - 1] && here === modules[y - 1]?.[x - 1]) penalty += 3
    }
  }
  const dark = modules.flat().filter(Boolean).length
  return penalty + Math.floor(Math.abs((dark * 20) / (size * size) - 10)) * 10
}

/** The symbol of a text; undefined when the text is too long. */
export function qrCode(text: string): Modules | undefined {
  const bytes = new TextEncoder().encode(text)
  const version = CHECKS.map((_, index) => index + 1).find((one) => bytes.length <= dataIn(one) - (one < 10 ? 2 : 3))
  if (version === undefined) return undefined
  const words = codewords(bytes, version)
  const symbols = MASKS.map((_, mask) => fill(patternsOf(version, mask), words, mask))
  return symbols.reduce((best, one) => (penaltyOf(one) < penaltyOf(best) ? one : best))
}
