/** Every method, by callers and about things that chance has chosen: nothing of another tenant shows. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { assertNone } from '../support/cells.ts'
import { engines } from '../support/engines.ts'
import { newRandom, seed } from '../support/seed.ts'
import { allMethods } from '../support/services.ts'
import { chooseCases } from './cases.ts'
import { MEANT } from './meant.ts'
import { search } from './search.ts'
import { openTenants, type Tenants } from './world.ts'

/** How many cases of each method. */
const OF_EACH = 4

for (const engine of engines) {
  suite(`every method shows nothing of another tenant (seed ${seed}, ${engine.name})`, () => {
    let tenants: Tenants
    before(async () => {
      tenants = await openTenants(engine)
    })
    after(() => tenants.dispose())

    test('a thing of another tenant is answered like one that is not there', async (context) => {
      const cases = chooseCases(tenants, { random: newRandom(), ofEach: OF_EACH })
      const { unexplained, ...counts } = await search(tenants, cases)
      const { methods, requests, seconds } = counts
      context.diagnostic(
        `${methods} methods, ${requests} requests, ${unexplained.length} differences, ${seconds} s, SIGNET_TEST_SEED=${seed}`,
      )
      assertNone(unexplained)
      assert.equal(methods, allMethods.size)
    })

    test('every difference that is meant has a decision', () => {
      const decisions = globSync('docs/decisions/*.md', { cwd: `${import.meta.dirname}/../..` }).map((file) =>
        file.slice(15, 19),
      )
      assertNone(MEANT.map(({ decision }) => decision).filter((decision) => !decisions.includes(decision)))
    })
  })
}
