/** Clients that nobody prepared, and the settings that let them in. */
import assert from 'node:assert/strict'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { type GuardedFetch, OutboundFailed } from '../../src/outbound/fetch.ts'
import { authorizationUrl, CHALLENGE, isSignInPage, type Parameters, post, VERIFIER } from './openid-flow.ts'
import type { Browser, OpenIdWorld, Stop } from './openid-world.ts'

export const CLIENT = 'https://agent.example/client.json'
export const CALLBACK = 'http://127.0.0.1/callback'

/** The metadata of a client that can be used. */
export function metadataOf(clientId: string, more: Readonly<Record<string, unknown>> = {}) {
  return { client_id: clientId, client_name: 'Agent', redirect_uris: [CALLBACK], ...more }
}

/** A web of documents: what is not in it cannot be reached. */
export function openWeb() {
  const documents = new Map<string, () => Response | Promise<Response>>()
  let fetched = 0
  const fetchOutside: GuardedFetch = async (url) => {
    fetched += 1
    const answer = documents.get(url)
    if (answer === undefined) throw new OutboundFailed('unreachable')
    return answer()
  }
  const publish = (url: string, body: unknown, init: ResponseInit = {}) => {
    const headers = { 'content-type': 'application/json', ...init.headers }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    documents.set(url, () => new Response(text, { ...init, headers }))
  }
  return { documents, fetchOutside, publish, fetched: () => fetched }
}

/** What the instance allows. */
export function allowHere(world: OpenIdWorld, settings: Readonly<Record<string, unknown>>) {
  return world.call(SettingsService.method.setSecuritySettings, settings as never, world.owner)
}

/** What a project allows. */
export function allowAt(world: OpenIdWorld, projectId: string, agentAccess: Readonly<Record<string, boolean>>) {
  return world.call(ProjectService.method.updateProject, { projectId, agentAccess }, world.owner)
}

/** Opens the authorization request of a client in a browser, and signs the user in where asked. */
export async function openRequest(
  world: OpenIdWorld,
  clientId: string,
  more: Parameters = {},
  { browser = world.browser(), name = 'ada' }: { readonly browser?: Browser; readonly name?: string } = {},
): Promise<{ readonly browser: Browser; readonly page: Stop }> {
  const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  const parameters = { redirect_uri: CALLBACK, ...challenge, ...more }
  const page = await browser.open(authorizationUrl(world, { clientId }, parameters))
  return { browser, page: isSignInPage(page) ? await world.signIn(browser, page, name) : page }
}

/** Allows what is asked for on the page for consent; it must be that page. */
export async function allow(browser: Browser, page: Stop): Promise<Stop> {
  assert.equal(new URL(page.url).pathname, '/ui/consent', `${page.status} ${page.url} ${page.text.slice(0, 500)}`)
  return browser.send(page, { do: 'allow' }, '/ui/consent')
}

/** Redeems the code that the browser came back with. */
export function redeemCode(world: OpenIdWorld, clientId: string, stop: Stop, more: Parameters = {}) {
  const code = new URL(stop.url).searchParams.get('code') ?? assert.fail(`no code: ${stop.url} ${stop.text}`)
  const form = { grant_type: 'authorization_code', code, client_id: clientId, code_verifier: VERIFIER }
  return post(`${world.url}/oauth/v2/token`, { ...form, redirect_uri: CALLBACK, ...more })
}

/** From the authorization request to the tokens. */
export async function tokensFor(world: OpenIdWorld, clientId: string, more: Parameters = {}) {
  const { browser, page } = await openRequest(world, clientId, more)
  const stop = page.url.startsWith(CALLBACK) ? page : await allow(browser, page)
  const answer = await redeemCode(world, clientId, stop)
  assert.equal(answer.status, 200, answer.text)
  return { ...answer.body, browser } as {
    readonly access_token: string
    readonly refresh_token?: string
    readonly browser: Browser
  }
}
