/**
 * Every row that says that it runs: its printed lines from an empty folder, with what npm has today, to signed in and
 * signed out in a real Chromium. Here the rows of Node; `test/adoption/run.ts` has the others, too.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { FRAMEWORK_NAMES, FRAMEWORKS } from '../../packages/create/frameworks/index.ts'
import type { People } from '../e2e/people.ts'
import { addPersonWithPassword, startPublicly } from '../e2e/signing-in.ts'
import { withoutBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { signInAndOut } from './in-browser.ts'
import { runRow, withoutRegistry } from './row.ts'

const skip = withoutBrowser() || (await withoutRegistry())
const options = { timeout: 600_000, skip }

suite('the printed lines of a framework', { ...options, timeout: 1_800_000 }, () => {
  let people: People

  before(async () => {
    people = await startPublicly()
    await addPersonWithPassword(people, 'ada')
  })
  after(() => people.close())

  for (const name of FRAMEWORK_NAMES) {
    const { label, needs, runs } = FRAMEWORKS[name]
    if (needs !== 'node' || runs !== 'in a browser') continue
    test(`make an app of ${label} that people sign in to and out of`, options, async () => {
      const row = await runRow(people, name, `http://localhost:${await freePort()}`)
      try {
        await signInAndOut(people, row.address)
      } catch (error) {
        assert.fail(`${(error as Error).message}\n${row.output()}`)
      } finally {
        await row.close()
      }
    })
  }
})
