import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRealm } from '../../../../test/support/foreign-exports.ts'

test('KC35: where a realm does not let users reset their password, they cannot here', async () => {
  for (const resetPasswordAllowed of [true, false]) {
    const [login] = (await readRealm({ resetPasswordAllowed })).of('settings').filter((one) => one.section === 'login')
    assert.equal(login?.values.allowsPasswordReset, resetPasswordAllowed)
  }
})
