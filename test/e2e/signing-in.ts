/** What people do again and again when they sign in, in words. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { totpCode, totpStep } from '../../src/crypto/totp.ts'
import { instant } from '../../src/kernel/instant.ts'
import { freePort } from '../support/free-port.ts'
import { type People, startPeople } from './people.ts'

export const PASSWORD = 'sturdy umbrella lagoon'

export async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? ''
}
export function heading(page: Page) {
  return textOf(page.getByRole('heading', { level: 1 }))
}
export function press(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true }).click()
}
export function pathOf(page: Page): string {
  return new URL(page.url()).pathname
}

/** Starts a server whose public address is set, so that only its own pages may ask for passkeys. */
export async function startPublicly(settings: Readonly<Record<string, string>> = {}): Promise<People> {
  const port = await freePort()
  return startPeople({
    SIGNET_LISTEN: `127.0.0.1:${port}`,
    SIGNET_EXTERNAL_URL: `http://localhost:${port}`,
    ...settings,
  })
}

/** The codes of an app with this secret; each step is used once, so they are taken one after the other. */
function openApp(secret: string) {
  let last = 0
  return (): string => {
    const now = totpStep(instant(Date.now()))
    last = Math.max(last + 1, now)
    assert.ok(last <= now + 1, 'the app has to wait for its next code')
    return totpCode(secret, last)
  }
}

/** A window with scripts; a virtual authenticator answers at once what browsers offer where the name is typed. */
export async function openWindow(people: People, { isOffered = false } = {}) {
  const opened = await people.open({ javaScriptEnabled: true })
  if (!isOffered) {
    await opened.page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
    })
  }
  return opened
}

export async function signInWith({ url }: People, page: Page, userName: string, password = PASSWORD) {
  await page.goto(`${url}/ui/login`)
  await page.getByLabel('Username').fill(userName)
  await page.getByLabel('Password').fill(password)
  await press(page, 'Sign in')
}

export async function signOut({ url }: People, page: Page) {
  await page.goto(`${url}/ui/account`)
  const own = page.getByRole('listitem').filter({ hasText: 'This browser' })
  await own.getByRole('button', { name: 'Sign out', exact: true }).click()
  assert.equal(await heading(page), 'You’re signed out')
}

/** Adds somebody with a password and a verified address. */
export function addPersonWithPassword(people: People, name: string) {
  return people.addPerson(name, {
    password: { password: PASSWORD },
    email: { email: `${name}@example.com`, isVerified: true },
  })
}

/** Sets up an authenticator app on the account page, and answers what it shows next. */
export async function setUpApp(page: Page) {
  const app = page.getByRole('listitem').filter({ hasText: 'Authenticator app' })
  await app.getByRole('button', { name: 'Set up Authenticator app' }).click()
  assert.ok(await page.getByRole('img', { name: 'QR code' }).isVisible())
  const nextCode = openApp((await textOf(page.locator('code'))).replaceAll(' ', ''))
  await page.getByLabel('Verification code').fill(nextCode())
  await press(page, 'Finish setup')
  await page.waitForURL(/\/ui\/account/)
  return nextCode
}
