/**
 * Every role with many sequences, by one seed on each database, and every step alone. `npm run test:long` runs it with new
 * seeds each time: it takes ten minutes.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Random } from '../../faults/network/mutations.ts'
import type { RoleLevel } from '../../src/kernel/role.ts'
import { assertNone } from '../support/cells.ts'
import { bothEngines, type TestEngine } from '../support/engines.ts'
import { seed } from '../support/seed.ts'
import { MEANT, type Meant } from './meant.ts'
import { ALL_ROLES, type RoleAt } from './roles.ts'
import { type Attempt, type Found, search, sequences, singles } from './search.ts'

const EXTENT = { organizations: { ofShare: 2 }, sequences: 4 }
const FEWEST_SEQUENCES = 475
/** How many methods one organization sees when each is tried alone. */
const AT_ONCE = 12

const LEVELS = [...new Set(ALL_ROLES.map(({ level }) => level))]

const [sqlite, postgres = sqlite] = bothEngines

function rolesOf(of: RoleLevel): readonly RoleAt[] {
  return ALL_ROLES.filter(({ level }) => level === of)
}

suite(`no role gains anything, in the whole search (seed ${seed})`, () => {
  const used = new Set<Meant>()

  const report = ({ gains, used: rows, ...counts }: Found): string => {
    for (const row of rows) used.add(row)
    const { sequences, steps, taken, tokens, seconds } = counts
    return `${counts.roles.size} roles, ${sequences} sequences, ${taken} of ${steps} steps taken, ${tokens} tokens, ${gains.length} gains, ${seconds} s`
  }
  const searchOn = (engine: TestEngine | undefined, attempts: Iterable<Attempt>, random: Random) =>
    search(engine ?? assert.fail('there is no database'), attempts, random)

  // One test for each level: whoever runs them sees that something happens.
  for (const [index, engine] of [sqlite, postgres].entries()) {
    let tried = 0
    for (const level of LEVELS) {
      test(`by sequences of steps with roles of the level ${level} (seed ${seed + index}, ${engine?.name})`, async (context) => {
        const random = new Random(seed + index)
        const found = await searchOn(engine, sequences(random, EXTENT, rolesOf(level)), random)
        context.diagnostic(report(found))
        tried += found.sequences
        assertNone(found.gains)
        assert.equal(found.roles.size, rolesOf(level).length)
      })
    }

    test(`by as many sequences as there must be (seed ${seed + index}, ${engine?.name})`, () => {
      assert.ok(tried >= FEWEST_SEQUENCES, `${tried}`)
    })
  }

  for (const level of LEVELS) {
    test(`by any step alone with a role of the level ${level}`, async (context) => {
      const found = await searchOn(sqlite, singles(AT_ONCE, rolesOf(level)), new Random(seed))
      context.diagnostic(report(found))
      assertNone(found.gains)
    })
  }

  test('and every row that is meant is used', () => {
    assertNone(MEANT.filter((row) => !used.has(row)).map(({ why }) => `nothing matches: ${why}`))
  })
})
