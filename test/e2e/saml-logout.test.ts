/**
 * Single logout in a real Chromium: service providers on other sites, which know their sessions by cookies as real ones do,
 * get these cookies, and nothing on the way is held back by our own policy.
 */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import type { Profile } from '@node-saml/node-saml'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, withoutBrowser } from '../support/browser.ts'
import { type OpenIdWorld, openOpenIdWorld, PASSWORD } from '../support/openid-world.ts'
import { encoded, inflated, signedXml } from '../support/saml-messages.ts'
import { addProvider, type Provider } from '../support/saml-world.ts'
import { heading, press } from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }
const SAML = 'urn:oasis:names:tc:SAML:2.0'

type Manner = 'follows' | 'follows by a form' | 'is asked by a form' | 'never answers'

/** A site with sessions of its own. Each has an address of its own, so that its cookies are its own. */
interface Site {
  readonly url: string
  readonly server: Server
  provider: Provider
}

let sites = 1

async function openSite(world: OpenIdWorld, manner: Manner): Promise<Site> {
  const server = createServer((request, response) => {
    answer(site, manner, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  sites += 1
  await new Promise<void>((resolve) => server.listen(0, `127.0.0.${sites}`, resolve))
  const { address, port } = server.address() as AddressInfo
  const url = `http://${address}:${port}`
  const service = (name: string, binding: string, path: string) =>
    `<md:${name} Binding="${SAML}:bindings:${binding}" Location="${url}/${path}" index="0"/>`
  const binding = manner.endsWith('by a form') ? 'HTTP-POST' : 'HTTP-Redirect'
  const services = `${service('SingleLogoutService', binding, 'slo')}${service('AssertionConsumerService', 'HTTP-POST', 'acs')}`
  const provider = await addProvider(world, { parts: { services }, options: { callbackUrl: `${url}/acs` } })
  const site: Site = { url, server, provider }
  return site
}

async function formIn(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
}

/** What the site knows of the one who signed in: its cookie contains it. */
function knownBy(request: IncomingMessage): Profile | undefined {
  const value = /(?:^|; )own=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
  return value === undefined ? undefined : (JSON.parse(Buffer.from(value, 'base64url').toString()) as Profile)
}

function page(response: ServerResponse, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(`<!doctype html><h1>${text}</h1>`)
}

function go(response: ServerResponse, location: string, headers: Record<string, string> = {}): void {
  response.writeHead(302, { location, ...headers }).end()
}

const FORGET = { 'set-cookie': 'own=; Path=/; Max-Age=0' }

async function answer(site: Site, manner: Manner, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { sp } = site.provider
  const url = new URL(request.url ?? '/', site.url)
  const profile = knownBy(request)
  switch (url.pathname) {
    case '/in':
      return go(response, await sp.getAuthorizeUrlAsync('', undefined, {}))
    case '/acs': {
      const { profile: who } = await sp.validatePostResponseAsync(await formIn(request))
      const value = Buffer.from(JSON.stringify(who)).toString('base64url')
      return go(response, `${site.url}/`, { 'set-cookie': `own=${value}; Path=/; HttpOnly; SameSite=Lax` })
    }
    case '/out':
      return go(response, await sp.getLogoutUrlAsync(profile ?? assert.fail('nobody is signed in'), '', {}), FORGET)
    case '/slo': {
      if (url.searchParams.has('SAMLResponse')) {
        const isWhole = !inflated(url.searchParams.get('SAMLResponse') ?? '').includes('PartialLogout')
        return page(response, isWhole ? 'Signed out everywhere' : 'Signed out here')
      }
      if (manner === 'never answers') return page(response, 'Out of order')
      return manner === 'follows' ? follow(site, url, profile, response) : followForm(site, manner, request, response)
    }
    default:
      return page(response, profile === undefined ? 'Nobody' : `Hello ${profile.UserName}`)
  }
}

/** Ends the session of the cookie; without one there is nothing to end, and it says so. */
async function follow({ provider: { sp } }: Site, url: URL, known: Profile | undefined, response: ServerResponse) {
  const { profile } = await sp.validateRedirectAsync(Object.fromEntries(url.searchParams), url.search.slice(1))
  const isKnown = known !== undefined && known.sessionIndex === profile?.sessionIndex
  go(response, await sp.getLogoutResponseUrlAsync(profile ?? assert.fail(), '', {}, isKnown), FORGET)
}

async function followForm(
  { provider: { sp } }: Site,
  manner: Manner,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { profile } = await sp.validatePostRequestAsync(await formIn(request))
  const target = new URL(await sp.getLogoutResponseUrlAsync(profile ?? assert.fail(), '', {}, true))
  if (manner === 'is asked by a form') return go(response, target.href, FORGET)
  const message = encoded(signedXml(inflated(target.searchParams.get('SAMLResponse') ?? '')))
  const fields = `<input type="hidden" name="SAMLResponse" value="${message}">`
  const form = `<form method="post" action="${target.origin}${target.pathname}">${fields}</form>`
  page(response, `One moment</h1>${form}<script>document.forms[0].submit()</script><h1>`, FORGET)
}

suite('single logout in a browser', options, () => {
  let world: OpenIdWorld
  let browser: Browser
  const open: Site[] = []

  before(async () => {
    world = await openOpenIdWorld()
    await world.addPerson('ada')
    browser = await openBrowser()
  })

  after(async () => {
    await browser?.close()
    for (const { server } of open) {
      server.closeAllConnections()
      server.close()
    }
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  /** A window in which somebody has signed in to these sites, and what the browser held back. */
  const signedInTo = async (...manners: readonly Manner[]) => {
    const mine: Site[] = []
    for (const manner of manners) mine.push(await openSite(world, manner))
    open.push(...mine)
    const context = await browser.newContext({ locale: 'en' })
    context.setDefaultTimeout(60_000)
    const window = await context.newPage()
    const complaints: string[] = []
    window.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    for (const [at, { url }] of mine.entries()) {
      await window.goto(`${url}/in`)
      if (at === 0) {
        await window.getByLabel('Username').fill('ada')
        await window.getByLabel('Password').fill(PASSWORD)
        await press(window, 'Sign in')
      }
      await saying(window, 'Hello ada')
    }
    return { window, mine, complaints }
  }
  const saying = (window: Page, name: string) => window.getByRole('heading', { name, level: 1 }).waitFor()
  const isSignedOutOf = async (window: Page, { url }: Site) => {
    await window.goto(url)
    assert.equal(await heading(window), 'Nobody')
    await window.goto(`${url}/in`)
    assert.ok(window.url().startsWith(`${world.url}/ui/login`), window.url())
  }

  test('that a service provider begins ends the sessions of all others, by address and by form', options, async () => {
    const { window, mine, complaints } = await signedInTo(
      'follows',
      'is asked by a form',
      'follows by a form',
      'follows',
    )
    await window.goto(`${mine[0]?.url}/out`)
    await saying(window, 'Signed out everywhere')
    for (const site of mine) await isSignedOutOf(window, site)
    assert.deepEqual(complaints, [])
  })

  test('that begins on the sign-out page goes to more sites than a browser follows redirects', options, async () => {
    const { window, mine, complaints } = await signedInTo(...Array.from({ length: 12 }, () => 'follows' as const))
    await window.goto(`${world.url}/ui/logout`)
    await press(window, 'Sign out')
    await saying(window, 'You’re signed out')
    assert.equal(new URL(window.url()).search, '')
    for (const site of mine) await isSignedOutOf(window, site)
    assert.deepEqual(complaints, [])
  })

  test('with a site that never answers has ended our session, and continues without it', options, async () => {
    const { window, mine } = await signedInTo('follows', 'follows', 'never answers')
    const [first, second] = mine
    const leading: string[] = []
    window.on('request', (request) => {
      if (request.url().includes('/saml/v2/logout/')) leading.push(request.url())
    })
    await window.goto(`${first?.url}/out`)
    await saying(window, 'Out of order')
    await window.goto(leading.at(-1) ?? assert.fail())
    await saying(window, 'Signed out here')
    for (const site of [first, second]) await isSignedOutOf(window, site ?? assert.fail())
  })
})
