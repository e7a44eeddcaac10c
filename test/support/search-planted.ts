/** Searches once: `node --import ./plant.ts ./search-planted.ts <module> <words>`. Prints what was found as one line of JSON. */
import assert from 'node:assert/strict'

const [file, ...words] = process.argv.slice(2)
assert.ok(file)
const { findings } = (await import(file)) as { findings(...words: readonly string[]): Promise<readonly string[]> }
console.log(JSON.stringify(await findings(...words)))
// Databases and hashing threads end with the process.
process.exit(0)
