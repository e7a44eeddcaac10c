/** Every method, by every caller and about every thing. `npm run test:long` runs it: it makes 70,000 requests. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertNone } from '../support/cells.ts'
import { bothEngines } from '../support/engines.ts'
import { allMethods } from '../support/services.ts'
import { chooseCases } from './cases.ts'
import { MEANT } from './meant.ts'
import { search } from './search.ts'
import { openTenants } from './world.ts'

/** What is decided does not depend on the database; the short form runs on both. */
for (const engine of bothEngines.slice(0, 1)) {
  suite(`every case shows nothing of another tenant (${engine.name})`, () => {
    test('a thing of another tenant is answered like one that is not there, and every row that is meant is used', async (context) => {
      const tenants = await openTenants(engine)
      try {
        const { unexplained, used, ...counts } = await search(tenants, chooseCases(tenants))
        const { methods, requests, seconds } = counts
        context.diagnostic(`${methods} methods, ${requests} requests, ${unexplained.length} differences, ${seconds} s`)
        assertNone(unexplained)
        assertNone(MEANT.filter((row) => !used.has(row)).map(({ why }) => `nothing matches: ${why}`))
        assert.equal(methods, allMethods.size)
      } finally {
        await tenants.dispose()
      }
    })
  })
}
