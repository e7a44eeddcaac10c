/** A lock on the page of its user at the console, in a real Chromium: who set it, and when it ends. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleWorld, seesNotice, startConsole } from '../support/console.ts'
import { addPersonWithPassword } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

suite('the lock of a user', options, () => {
  let world: ConsoleWorld
  before(async () => {
    world = await startConsole()
    await world.addAdministrator('root')
  })
  after(() => world.close())

  test('is shown with its reason and its end, and ended there', options, async () => {
    const userId = await addPersonWithPassword(world, 'lockedout')
    const { page, complaints } = await world.openAs('root', `/users/${userId}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await world.call('PUT', '/admin/v1/policies/lockout', { maxPasswordAttempts: 2 })
    const wrong = { checks: { user: { userId }, password: { password: 'not it' } } }
    for (let count = 0; count < 2; count++) await assert.rejects(world.call('POST', '/v2/sessions', wrong))
    await world.call('PUT', '/admin/v1/policies/lockout', { maxPasswordAttempts: 0 })
    await page.reload()
    const notice = page.getByRole('alert', { name: 'Locked after failed attempts' })
    await notice.getByText(/^The lock ends by itself on /).waitFor()
    await notice.getByRole('button', { name: 'Unlock' }).click()
    await seesNotice(page, 'User unlocked.')
    await notice.waitFor({ state: 'detached' })
    await world.call('POST', `/v2/users/${userId}/lock`, {})
    await page.reload()
    const byHand = page.getByRole('alert', { name: 'Locked by an administrator' })
    await byHand.getByText('The user can’t sign in until an administrator unlocks the account.').waitFor()
    assert.equal(await notice.count(), 0)
    await byHand.getByRole('button', { name: 'Unlock' }).click()
    await byHand.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })
})
