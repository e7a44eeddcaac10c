/**
 * Searches until something was gained, with one role; for a process in which a fault is planted. It tries the same sequences in every
 * run: whether a fault is found must not depend on luck.
 */
import assert from 'node:assert/strict'
import { Random } from '../../faults/network/mutations.ts'
import { bothEngines } from '../support/engines.ts'
import { ALL_ROLES } from './roles.ts'
import { searchUntilFound } from './search.ts'

const MOST_SEQUENCES = 240

export async function findings(role: string): Promise<readonly string[]> {
  const [engine] = bothEngines
  const found = ALL_ROLES.find((one) => one.role === role)
  assert.ok(engine && found)
  return searchUntilFound(engine, found, MOST_SEQUENCES, new Random(1))
}
