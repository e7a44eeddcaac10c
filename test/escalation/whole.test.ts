/** Every role with many sequences, by three seeds, and every step alone. `npm run test:long` runs it: it takes a quarter of an hour. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Random } from '../../faults/network/mutations.ts'
import { assertNone } from '../support/cells.ts'
import { bothEngines, type TestEngine } from '../support/engines.ts'
import { seed } from '../support/seed.ts'
import { MEANT, type Meant } from './meant.ts'
import { ALL_ROLES } from './roles.ts'
import { type Attempt, type Found, search, sequences, singles } from './search.ts'

const EXTENT = { organizations: { ofShare: 2 }, sequences: 4 }
const FEWEST_SEQUENCES = 475
/** How many methods one organization sees when each is tried alone. */
const AT_ONCE = 12

const [sqlite, postgres = sqlite] = bothEngines

suite(`no role gains anything, in the whole search (seed ${seed})`, () => {
  const used = new Set<Meant>()

  const report = ({ gains, used: rows, ...counts }: Found): string => {
    for (const row of rows) used.add(row)
    const { sequences, steps, taken, tokens, seconds } = counts
    return `${counts.roles.size} roles, ${sequences} sequences, ${taken} of ${steps} steps taken, ${tokens} tokens, ${gains.length} gains, ${seconds} s`
  }
  const searchOn = (engine: TestEngine | undefined, attempts: Iterable<Attempt>, random: Random) =>
    search(engine ?? assert.fail('there is no database'), attempts, random)

  for (const [index, engine] of [sqlite, sqlite, postgres].entries()) {
    test(`by sequences of steps, whatever tokens they lead to (seed ${seed + index}, ${engine?.name})`, async (context) => {
      const random = new Random(seed + index)
      const found = await searchOn(engine, sequences(random, EXTENT), random)
      context.diagnostic(report(found))
      assertNone(found.gains)
      assert.equal(found.roles.size, ALL_ROLES.length)
      assert.ok(found.sequences >= FEWEST_SEQUENCES, `${found.sequences}`)
    })
  }

  test('by any step alone', async (context) => {
    const found = await searchOn(sqlite, singles(AT_ONCE), new Random(seed))
    context.diagnostic(report(found))
    assertNone(found.gains)
  })

  test('and every row that is meant is used', () => {
    assertNone(MEANT.filter((row) => !used.has(row)).map(({ why }) => `nothing matches: ${why}`))
  })
})
