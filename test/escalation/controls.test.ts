/** Faults in the rules of authority, each in a process of its own, that the search must find. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findingsWith } from '../support/planted.ts'
import type { FaultName } from '../support/planted-faults.ts'

const FILE = `${import.meta.dirname}/planted.ts`

suite('the search for gains finds planted faults', () => {
  /** What is found by the attacks of one role. */
  const foundBy = async (role: string, fault: FaultName) => {
    const [first = 'nothing'] = await findingsWith(fault, FILE, role)
    return first
  }

  test('control: `covers` that says yes is found', async (context) => {
    const found = await foundBy('ORG_USER_MANAGER', '`covers` that says yes')
    context.diagnostic(found)
    assert.match(found, /^ORG_USER_MANAGER by .* has /)
  })

  test('control: a reach that is ignored is found', async (context) => {
    const found = await foundBy('ORG_SETTINGS_MANAGER', 'a reach that is ignored')
    context.diagnostic(found)
    assert.match(found, /^ORG_SETTINGS_MANAGER by .* has /)
  })
})
