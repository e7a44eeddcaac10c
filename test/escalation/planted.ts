/**
 * Searches until something was gained, with one role: `node --import ./plant.ts ./planted.ts ORG_SETTINGS_MANAGER`. Prints
 * what was found as one line of JSON.
 */
import assert from 'node:assert/strict'
import { bothEngines } from '../support/engines.ts'
import { newRandom } from '../support/seed.ts'
import { ALL_ROLES } from './roles.ts'
import { searchUntilFound } from './search.ts'

const MOST_SEQUENCES = 240

const [engine] = bothEngines
const role = ALL_ROLES.find((one) => one.role === process.argv[2])
assert.ok(engine && role)
const found = await searchUntilFound(engine, role, MOST_SEQUENCES, newRandom())
console.log(JSON.stringify(found))
// The database and the hashing threads of the last world end with the process.
process.exit(0)
