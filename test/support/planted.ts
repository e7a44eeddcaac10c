/** Runs a search in a process of its own, in which a fault is planted. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type FaultName, faultVariable } from './planted-faults.ts'
import { seed } from './seed.ts'

const run = promisify(execFile)

/** What `findings` of a module finds; `words` are its arguments. */
export async function findingsWith(
  fault: FaultName,
  file: string,
  ...words: readonly string[]
): Promise<readonly string[]> {
  const { dirname: folder } = import.meta
  const program = ['--import', `${folder}/plant.ts`, `${folder}/search-planted.ts`, file, ...words]
  const env = { ...process.env, [faultVariable]: fault, SIGNET_TEST_SEED: String(seed) }
  const { stdout, stderr } = await run(process.execPath, program, { env })
  assert.doesNotMatch(stderr, /was not planted/)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as readonly string[]
}
