/** Every role of the table, in steps that chance has chosen: nobody can do more in the end than their role could. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { suite, test } from 'node:test'
import { assertNone } from '../support/cells.ts'
import { engines } from '../support/engines.ts'
import { newRandom, seed } from '../support/seed.ts'
import { MEANT } from './meant.ts'
import { ALL_ROLES } from './roles.ts'
import { search, sequences } from './search.ts'

const EXTENT = { organizations: { ofRole: 1 }, sequences: 2 }

for (const engine of engines) {
  suite(`no role gains anything (seed ${seed}, ${engine.name})`, () => {
    test('by a sequence of steps, whatever tokens it leads to', async (context) => {
      const random = newRandom()
      const { gains, ...counts } = await search(engine, [...sequences(random, EXTENT)], random)
      const { roles, sequences: tried, steps, taken, tokens, seconds } = counts
      context.diagnostic(
        `${roles.size} roles, ${tried} sequences, ${taken} of ${steps} steps taken, ${tokens} tokens, ${gains.length} gains, ${seconds} s, SIGNET_TEST_SEED=${seed}`,
      )
      assertNone(gains)
      assert.equal(roles.size, ALL_ROLES.length)
      // Otherwise steps would be refused for what they say, and nothing would be searched.
      assert.ok(taken > steps / 10, `${taken} of ${steps}`)
      assert.ok(tokens >= tried, `${tokens}`)
    })

    test('unless a decision means it', () => {
      const files = globSync('docs/decisions/*.md', { cwd: `${import.meta.dirname}/../..` })
      const decisions = files.map((file) => file.slice('docs/decisions/'.length).slice(0, 4))
      assertNone(MEANT.map(({ decision }) => decision).filter((decision) => !decisions.includes(decision)))
    })
  })
}
