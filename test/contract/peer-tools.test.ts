/** Every method that the tools of ZITADEL call is served, but for those that are named with a reason. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { allMethods } from '../support/services.ts'
import { LOGIN_APP, NOT_SERVED, TERRAFORM } from './peer-tools.ts'

/** The full names, as we call them. */
function namesOf(methods: Readonly<Record<string, string>>): readonly string[] {
  const names = Object.entries(methods).flatMap(([service, list]) =>
    list
      .trim()
      .split(/\s+/)
      .map((name) => `signet.${service}/${name}`),
  )
  return [...new Set(names)]
}

const excused = new Set(Object.values(NOT_SERVED).flat())
const nameIn = (full: string) => full.split('/')[1] ?? ''

suite('the methods that tools call', () => {
  for (const [tool, methods, least] of [
    ['the login app', LOGIN_APP, 54],
    ['the Terraform provider', TERRAFORM, 340],
  ] as const) {
    test(`${tool}: all but the named ones are served`, (context) => {
      const names = namesOf(methods)
      assert.ok(names.length >= least, `${names.length}`)
      const served = names.filter((name) => allMethods.has(name))
      context.diagnostic(`${tool}: ${served.length} of ${names.length}`)
      assert.deepEqual(
        names.filter((name) => !allMethods.has(name) && !excused.has(nameIn(name))),
        [],
      )
    })
  }

  test('nothing is excused that is served', () => {
    const all = [...namesOf(LOGIN_APP), ...namesOf(TERRAFORM)]
    const served = all.filter((name) => allMethods.has(name)).map(nameIn)
    // What is to come may be there.
    const refused = Object.entries(NOT_SERVED).flatMap(([reason, names]) => (reason.startsWith('not yet') ? [] : names))
    assert.deepEqual(
      refused.filter((name) => served.includes(name)),
      [],
    )
  })
})
