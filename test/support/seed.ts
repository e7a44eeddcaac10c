/** Which of many cases a short run tries: `SIGNET_TEST_SEED` repeats the cases of another run. */
import { Random } from '../../faults/network/mutations.ts'

const given = process.env.SIGNET_TEST_SEED

export const seed = given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given)

export function newRandom(): Random {
  return new Random(seed)
}
