import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../kernel/instant.ts'
import { Refused } from '../kernel/refusal.ts'
import { FRESH_SIGN_IN_MILLISECONDS, requireFreshSignIn } from './fresh-sign-in.ts'

const at = instant(1_800_000_000_000)
const person = { userId: 'ada', organizationId: 'north', grants: [] }
function signedIn(ago: number) {
  return {
    caller: { ...person, session: { id: 's', authenticatedAt: instant(at - ago), tokenHash: 'h' } },
    at,
  }
}

suite('a fresh sign-in', () => {
  test('is asked of callers who act on themselves with a session', () => {
    requireFreshSignIn(signedIn(FRESH_SIGN_IN_MILLISECONDS), 'ada')
    assert.throws(
      () => requireFreshSignIn(signedIn(FRESH_SIGN_IN_MILLISECONDS + 1), 'ada'),
      (error) => error instanceof Refused && error.code === 'access.sign_in_again',
    )
  })

  test('is asked neither of other tokens nor for others', () => {
    requireFreshSignIn({ caller: person, at }, 'ada')
    requireFreshSignIn(signedIn(FRESH_SIGN_IN_MILLISECONDS + 1), 'bob')
  })
})
