/**
 * `npm run faults [scenario …] [-- --short --json --real-time --rounds=N]`: runs every fault scenario, or those with this name, or whose
 * name contains the word, one after the other. The exit code is 1 when a figure misses what is required, or when a control was
 * not caught.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findPostgres, serverVariable, startPostgres } from '../test/support/postgres.ts'
import { makeTemporaryFolder } from '../tools/temporary-folder.ts'
import { hasPassed, type Outcome, toLine, toText } from './print.ts'
import type { Run, Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'real-time': { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
})

/** Scenarios of this name, otherwise those whose name contains it. */
function select(word: string): readonly Scenario[] {
  const exact = scenarios.filter(({ name }) => name === word)
  return exact.length > 0 ? exact : scenarios.filter(({ name }) => name.includes(word))
}

const wanted = new Set(positionals.flatMap(select))
const chosen = positionals.length === 0 ? scenarios : scenarios.filter((scenario) => wanted.has(scenario))
if (chosen.length === 0) {
  console.error(`There is no such scenario. There are: ${scenarios.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

process.env.TMPDIR = makeTemporaryFolder()
// Hundreds of processes load the same files: each is compiled once.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/tests', import.meta.url))
const server = findPostgres() ? await startPostgres() : undefined
process.env[serverVariable] = server?.url() ?? 'none'

async function attempt(scenario: Scenario): Promise<Outcome> {
  const began = performance.now()
  const run: Run = {
    isShort: values.short,
    rounds: values.rounds === undefined ? undefined : Number(values.rounds),
    isRealTime: values['real-time'],
    say: (line) => process.stderr.write(`      ${scenario.name}: ${line}\n`),
  }
  const timed = () => ({ scenario, seconds: Math.round((performance.now() - began) / 100) / 10 })
  try {
    const reason = await scenario.obstacle?.()
    if (reason !== undefined) return { ...timed(), state: 'skipped', reason }
    const measured = await scenario.measure(run)
    const caught = await scenario.control.run(run)
    return { ...timed(), state: 'done', measured, caught }
  } catch (error) {
    return {
      ...timed(),
      state: 'failed',
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}

if (!values.json) console.log(`Node ${process.version}, ${availableParallelism()} cores\n`)
const outcomes: Outcome[] = []
for (const scenario of chosen) {
  const outcome = await attempt(scenario)
  outcomes.push(outcome)
  console.log(values.json ? toLine(outcome) : toText(outcome))
}
const passed = outcomes.filter(hasPassed).length
const skipped = outcomes.filter(({ state }) => state === 'skipped').length
if (!values.json) console.log(`\n${passed} of ${outcomes.length} passed, ${skipped} skipped`)
await server?.remove()
process.exit(passed + skipped === outcomes.length ? 0 : 1)
