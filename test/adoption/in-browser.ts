/** What a person does at every app of the list: sign in, be greeted, sign out. */
import assert from 'node:assert/strict'
import type { People } from '../e2e/people.ts'
import { PASSWORD, press } from '../e2e/signing-in.ts'

/** Signs ada in and out in a window of her own. Also asserts that she is not asked anything on the way out. */
export async function signInAndOut(people: People, address: string): Promise<void> {
  const { page } = await people.open({ javaScriptEnabled: true })
  page.setDefaultTimeout(60_000)
  const act = (name: string) => page.getByRole('link', { name }).or(page.getByRole('button', { name }))
  await page.goto(address)
  await act('Sign in').click()
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Sign in')
  await page.getByRole('heading', { level: 1, name: 'Hello Ada Lovelace' }).waitFor()
  assert.equal(new URL(page.url()).origin, new URL(address).origin)
  await act('Sign out').click()
  // Back at the app, where nobody is signed in.
  await page.waitForURL((url) => url.origin === new URL(address).origin)
  await act('Sign in').waitFor()
  await page.reload()
  await act('Sign in').click()
  // The session at the server ended, too.
  await page.getByLabel('Username').waitFor()
  await page.context().close()
}
