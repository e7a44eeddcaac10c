/** What tests of the pages between an application and its tokens share. */
import assert from 'node:assert/strict'
import { type Application, type Browser, type OpenIdWorld, REDIRECT_URI, type Stop } from './openid-world.ts'
import { plainText } from './page-client.ts'

/** What a page says. */
export function told(page: Stop): string {
  return plainText({ ...page, header: () => undefined })
}

/** Asserts that a page says these sentences. */
export function assertSays(page: Stop, ...sentences: readonly string[]): void {
  for (const sentence of sentences) assert.ok(told(page).includes(sentence), `“${sentence}” is not in: ${told(page)}`)
}

/** An authorization request of an application. */
export function authorizationUrl(
  { url }: OpenIdWorld,
  { clientId }: Pick<Application, 'clientId'>,
  more: Readonly<Record<string, string>> = {},
): string {
  return `${url}/oauth/v2/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid profile',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'the state',
    ...more,
  })}`
}

/** A browser that is signed in. */
export async function signedIn(world: OpenIdWorld, userName = 'ada'): Promise<Browser> {
  const browser = world.browser()
  const account = await world.signIn(browser, await browser.open(`${world.url}/ui/login`), userName)
  assert.equal(new URL(account.url).pathname, '/ui/account')
  return browser
}

/** Asserts that the browser is back at the application, with a code or with this error. */
export function isBack(stop: Stop, error?: string): void {
  assert.ok(stop.url.startsWith(REDIRECT_URI), `${stop.url} ${told(stop)}`)
  const { searchParams } = new URL(stop.url)
  assert.equal(searchParams.get('error'), error ?? null)
  assert.equal(searchParams.has('code'), error === undefined)
  assert.equal(searchParams.get('state'), 'the state')
}
