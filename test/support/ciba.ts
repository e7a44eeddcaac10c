/** Requests on the back channel (OpenID Connect CIBA) as applications make them, and the users who decide. */
import assert from 'node:assert/strict'
import { totpCode, totpStep } from '../../src/crypto/totp.ts'
import { type Clock, instant } from '../../src/kernel/instant.ts'
import { TOTP_SECRET } from './hosted-pages.ts'
import { type Answer, basic, type Parameters, post } from './openid-flow.ts'
import type { Application, Browser, OpenIdWorld, Stop } from './openid-world.ts'

export const CIBA = 'urn:openid:params:grant-type:ciba'
export const ENDPOINT = '/oauth/v2/bc-authorize'
export const APPROVALS = '/ui/account/approvals'

/** The configuration of an application that asks. */
export const ASKING = { grantTypes: [0, 2, 100] } as const

/** A clock that tests move on. The engine has a clock of its own, so no token is issued then. */
export function movableClock(): { readonly clock: Clock; move(milliseconds: number): void } {
  let ahead = 0
  return {
    clock: () => instant(Date.now() + ahead),
    move(milliseconds) {
      ahead += milliseconds
    },
  }
}

export function askApproval(
  { url }: Pick<OpenIdWorld, 'url'>,
  application: Application,
  name: string,
  more: Parameters = {},
): Promise<Answer> {
  return post(`${url}${ENDPOINT}`, { scope: 'openid', login_hint: name, ...more }, basic(application))
}

/** Asks, and returns the ID that the application gets. */
export async function requestApproval(
  world: OpenIdWorld,
  application: Application,
  name: string,
  more: Parameters = {},
) {
  const { status, body, text } = await askApproval(world, application, name, more)
  assert.equal(status, 200, text)
  return body as { readonly auth_req_id: string; readonly expires_in: number; readonly interval: number }
}

export function pollTokens(
  { url }: Pick<OpenIdWorld, 'url'>,
  application: Application,
  { auth_req_id: id }: { readonly auth_req_id: string },
): Promise<Answer> {
  return post(`${url}/oauth/v2/token`, { grant_type: CIBA, auth_req_id: id }, basic(application))
}

/** A code of the app of everybody here: the current one, or one before it. Each counts once. */
export function codeOf({ app }: OpenIdWorld, stepsAgo = 0): string {
  return totpCode(TOTP_SECRET, totpStep(app.clock()) - stepsAgo)
}

export interface ApprovingPerson {
  readonly name: string
  readonly userId: string
  readonly browser: Browser
}

/** Adds a person with an app for codes, who signed in with the code before the current one. */
export async function addApprovingPerson(world: OpenIdWorld, organizationId?: string): Promise<ApprovingPerson> {
  const name = `person-${world.app.newId()}`
  const there = organizationId && { organisation: { org: { case: 'orgId' as const, value: organizationId } } }
  const userId = await world.addPerson(name, { totpSecret: TOTP_SECRET, ...(there || {}) })
  return { name, userId, browser: await signInWithCode(world, name, 1) }
}

/** Signs a person in who has an app for codes. */
export async function signInWithCode(world: OpenIdWorld, name: string, stepsAgo = 0): Promise<Browser> {
  const browser = world.browser()
  const second = await world.signIn(browser, await browser.open(`${world.url}/ui/login`), name)
  const account = await browser.send(second, { code: codeOf(world, stepsAgo) }, '/ui/login/second-factor')
  assert.equal(new URL(account.url).pathname, '/ui/account', account.text)
  return browser
}

/** The page of the request that waits for the person of a browser. */
export async function openApproval({ url }: OpenIdWorld, browser: Browser): Promise<Stop> {
  const list = await browser.open(`${url}${APPROVALS}`)
  const [, href = ''] = /href="([^"]*\?id=[^"]*)"/.exec(list.text) ?? []
  assert.ok(href !== '', list.text)
  return browser.open(new URL(href.replaceAll('&amp;', '&'), url).href)
}
