/** Faults in the rules of authority, each in a process of its own, that the search must find. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { seed } from '../support/seed.ts'
import { FAULTS, faultVariable } from './faults.ts'

const run = promisify(execFile)

interface Found {
  readonly sequences: number
  readonly gains: readonly string[]
}

/** Searches in a process with this fault. */
async function searchWith(fault: string, role: string): Promise<Found> {
  const { dirname: folder } = import.meta
  const words = ['--import', `${folder}/plant.ts`, `${folder}/planted.ts`, role]
  const env = { ...process.env, [faultVariable]: fault, SIGNET_TEST_SEED: String(seed) }
  const { stdout, stderr } = await run(process.execPath, words, { env })
  assert.doesNotMatch(stderr, /was not planted/)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Found
}

suite(`the search for gains finds planted faults (seed ${seed})`, () => {
  for (const [fault, { role, finds }] of Object.entries(FAULTS)) {
    test(`control: ${fault} is found`, async (context) => {
      const { sequences, gains } = await searchWith(fault, role)
      context.diagnostic(`${sequences} sequences: ${gains[0]}`)
      assert.match(gains.join('\n'), finds)
    })
  }
})
