/** What generators of hostile bytes choose by chance. */
import type { Random } from './mutations.ts'

/** None to `most` of them. */
export function some<Value>(random: Random, most: number, make: () => Value): Value[] {
  return Array.from({ length: random.below(most + 1) }, make)
}

/** True one of this many times. */
export function once(random: Random, times: number): boolean {
  return random.below(times) === 0
}

/** None to `most` bytes of any value. */
export function noise(random: Random, most: number): Buffer {
  return Buffer.from(some(random, most, () => random.below(256)))
}

/** One time in eight, one of the pieces is cut short. */
export function cutShort(random: Random, pieces: readonly Buffer[]): readonly Buffer[] {
  if (!once(random, 8)) return pieces
  const at = random.below(pieces.length)
  return pieces.map((piece, index) => (index === at ? piece.subarray(0, random.below(piece.length + 1)) : piece))
}
