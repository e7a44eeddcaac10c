/**
 * Every row that says that it runs: its printed lines from an empty folder, with what its registry has today, to signed in
 * and signed out in a real Chromium.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FRAMEWORKS, type FrameworkName } from '../../packages/create/frameworks/index.ts'
import type { People } from '../e2e/people.ts'
import { addPersonWithPassword, startPublicly } from '../e2e/signing-in.ts'
import { withoutBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { signInAndOut } from './in-browser.ts'
import { runRow, withoutProgram, withoutRegistry } from './row.ts'

/** What `npm run test:long` runs; `npm run test:all` and `test/adoption/run.ts` have the others, too. */
export const EVERY_DAY: readonly FrameworkName[] = ['node', 'next', 'react', 'vue', 'express', 'fastify']

const withoutAll = withoutBrowser() || (await withoutRegistry())

/** A test for each of these rows that runs in a browser; inside of a suite. */
export function testRows(names: readonly FrameworkName[]): void {
  let people: People | undefined

  before(async () => {
    if (withoutAll !== false) return
    people = await startPublicly()
    await addPersonWithPassword(people, 'ada')
  })
  after(() => people?.close())

  for (const name of names.filter((one) => FRAMEWORKS[one].runs === 'in a browser')) {
    const skip = withoutAll || withoutProgram(name)
    test(`make an app of ${FRAMEWORKS[name].label} that people sign in to and out of`, {
      timeout: 600_000,
      skip,
    }, async () => {
      assert.ok(people)
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
}
