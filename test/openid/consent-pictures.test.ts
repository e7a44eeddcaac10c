/** Consent is to what was shown: another name, place, resource or sentence is asked about again, and what was given ends. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AgentAccessService } from '../../contract/gen/signet/application/v2/agent_access_service_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { documentAt } from '../../src/features/applications/agents/document-clients.ts'
import { consentId, consents } from '../../src/features/grants/documents.ts'
import { applicationsWithAccess } from '../../src/features/grants/index.ts'
import { instant } from '../../src/kernel/instant.ts'
import { allow, allowAt, allowHere, CALLBACK, metadataOf, openRequest, openWeb, redeemCode } from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { ask, askToken, authorizationUrl, codeForm, introspect, post } from '../support/openid-flow.ts'
import { told } from '../support/openid-pages.ts'
import {
  type Application,
  type Browser,
  type OpenIdWorld,
  openOpenIdWorld,
  REDIRECT_URI,
} from '../support/openid-world.ts'
import { MCP, resource, setResources } from '../support/resources.ts'

const REQUEST = { resource: MCP, scope: 'offline_access tools:read' }
const GITHUB = 'https://github.com/callback'
const EVIL = 'https://evil.example/callback'

for (const engine of engines) {
  suite(`consent on ${engine.name}`, () => {
    const web = openWeb()
    let world: OpenIdWorld
    let projectId: string
    let api: Application
    let adaId: string
    let count = 0
    let later = 0

    before(async () => {
      world = await openOpenIdWorld({
        engine,
        fetchOutside: web.fetchOutside,
        clock: () => instant(Date.now() + later),
      })
      adaId = await world.addPerson('ada')
      projectId = await world.addProject()
      api = await world.addApi(projectId)
      await setResources(world, projectId, resource(MCP))
      await allowHere(world, {
        clientIdMetadataDocuments: { enabled: true, allowedDomains: [] },
        dynamicClientRegistration: { enabled: true, allowUnauthenticated: true, registrationsPerHour: 1000 },
      })
      await allowAt(world, projectId, { clientIdMetadataDocuments: true, dynamicRegistration: true })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const isActive = async (token: string) => (await introspect(world, api, token)).body.active === true
    const isAsked = ({ url }: { readonly url: string }) => new URL(url).pathname === '/ui/consent'

    type Metadata = Readonly<Record<string, unknown>>
    interface Client {
      readonly id: string
      change(metadata: Metadata): Promise<void>
    }

    /** Clients of both kinds, whose metadata can be changed. */
    const KINDS: Readonly<Record<string, (metadata: Metadata) => Promise<Client>>> = {
      registration: async (metadata) => {
        const send = (url: string, method: string, body: unknown, token?: string) =>
          ask(url, {
            method,
            headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
            body: JSON.stringify(body),
          })
        const all = { grant_types: ['authorization_code', 'refresh_token'], ...metadata }
        const { body } = await send(`${world.url}/oauth/v2/register`, 'POST', all)
        return {
          id: body.client_id,
          async change(changed) {
            const whole = { ...all, ...changed, client_id: body.client_id }
            const { status } = await send(body.registration_client_uri, 'PUT', whole, body.registration_access_token)
            assert.equal(status, 200)
          },
        }
      },
      document: async (metadata) => {
        const id = `https://agent.example/${++count}.json`
        const init = { headers: { 'cache-control': 'no-store' } }
        web.publish(id, metadataOf(id, metadata), init)
        return {
          id,
          async change(changed) {
            web.publish(id, metadataOf(id, { ...metadata, ...changed }), init)
            // A document is read again after a minute.
            later = 61_000
            await documentAt(world.served, id, () => true)
            later = 0
          },
        }
      },
    }

    async function tokensFor(clientId: string, uri: string, more = {}, browser?: Browser) {
      const opened = await openRequest(
        world,
        clientId,
        { ...REQUEST, redirect_uri: uri, ...more },
        browser && { browser },
      )
      const stop = isAsked(opened.page) ? await allow(opened.browser, opened.page) : opened.page
      const { body } = await redeemCode(world, clientId, stop, { redirect_uri: stop.url.split('?')[0] ?? '' })
      assert.ok(body.access_token, JSON.stringify(body))
      return { browser: opened.browser, access: String(body.access_token), refresh: String(body.refresh_token) }
    }

    const FIRST = { client_name: 'Agent', redirect_uris: ['https://good.example/callback', CALLBACK] }
    const CHANGES: Readonly<Record<string, readonly [Metadata, string]>> = {
      'other redirect URIs': [{ redirect_uris: [EVIL] }, EVIL],
      'a redirect URI at another path': [
        { redirect_uris: ['https://good.example/other'] },
        'https://good.example/other',
      ],
      'one on the device': [{ redirect_uris: [CALLBACK] }, CALLBACK],
      'another name': [{ client_name: 'Other' }, 'https://good.example/callback'],
    }

    for (const [kind, make] of Object.entries(KINDS)) {
      for (const [what, [change, uri]] of Object.entries(CHANGES)) {
        test(`${kind}: ${what}: the user is asked again, and what was given before ends`, async () => {
          const client = await make(FIRST)
          const before = await tokensFor(client.id, 'https://good.example/callback')
          const same = await openRequest(
            world,
            client.id,
            { ...REQUEST, redirect_uri: 'https://good.example/callback' },
            before,
          )
          assert.equal(isAsked(same.page), false)
          assert.equal(await isActive(before.access), true)
          await client.change(change)
          const { page } = await openRequest(world, client.id, { ...REQUEST, redirect_uri: uri }, before)
          assert.equal(isAsked(page), true, page.url)
          const now = redeemCode(world, client.id, await allow(before.browser, page), { redirect_uri: uri })
          const { body } = await now
          assert.deepEqual([await isActive(body.access_token), await isActive(before.access)], [true, false])
          const form = { grant_type: 'refresh_token', refresh_token: before.refresh, client_id: client.id }
          assert.notEqual((await post(`${world.url}/oauth/v2/token`, form)).status, 200)
        })
      }

      test(`${kind}: consent to one address is none to another one, but the port of the device may be any`, async () => {
        const client = await make(FIRST)
        const { browser } = await tokensFor(client.id, 'http://127.0.0.1:4321/callback')
        const open = async (uri: string) =>
          (await openRequest(world, client.id, { ...REQUEST, redirect_uri: uri }, { browser })).page
        assert.equal(isAsked(await open('http://127.0.0.1:5432/callback')), false)
        assert.equal(isAsked(await open('https://good.example/callback')), true)
      })

      test(`${kind}: an approval of the organization is to the client as it was`, async () => {
        const client = await make(FIRST)
        await tokensFor(client.id, CALLBACK)
        const access = await applicationsWithAccess(world.app, adaId)
        const applicationId = access.find(({ clientId }) => clientId === client.id)?.applicationId ?? assert.fail()
        const organizationId = world.defaultOrganizationId
        const scopes = ['offline_access', 'tools:read']
        const approval = { organizationId, applicationId, resource: MCP, scopes }
        await world.call(AgentAccessService.method.approveAgent, approval, world.owner)
        const name = `bo-${kind}-${engine.name}`
        await world.addPerson(name)
        const request = { ...REQUEST, redirect_uri: CALLBACK }
        const { browser, page } = await openRequest(world, client.id, request, { name })
        const { body } = await redeemCode(world, client.id, page)
        assert.equal(await isActive(body.access_token), true)
        await client.change({ redirect_uris: [EVIL] })
        const again = await openRequest(world, client.id, { ...REQUEST, redirect_uri: EVIL }, { browser })
        assert.equal(isAsked(again.page), true, again.page.url)
        await allow(browser, again.page)
        assert.equal(await isActive(body.access_token), false)
      })
    }

    test('another sentence for a scope is asked about again, and ends what was given', async () => {
      const client = await KINDS.registration?.(FIRST)
      const id = client?.id ?? assert.fail()
      const { access, browser } = await tokensFor(id, CALLBACK)
      const scopes = [
        { key: 'tools:read', description: 'Use tools and delete everything' },
        { key: 'tools:write', description: 'Use tools:write' },
      ]
      await setResources(world, projectId, { ...resource(MCP), scopes } as never)
      try {
        assert.equal(await isActive(access), false)
        assert.equal(isAsked((await openRequest(world, id, REQUEST, { browser })).page), true)
      } finally {
        await setResources(world, projectId, resource(MCP))
      }
    })

    test('what was allowed before pictures were kept is asked about again', async () => {
      const client = await KINDS.registration?.(FIRST)
      const id = client?.id ?? assert.fail()
      const { browser } = await tokensFor(id, CALLBACK)
      await world.store.write(world.origin(), (work) =>
        work.decide(consents, consentId(adaId, id, MCP), {
          type: 'give',
          userId: adaId,
          clientId: id,
          resource: MCP,
          scopes: ['offline_access', 'tools:read'],
          at: work.origin.at,
        }),
      )
      assert.equal(isAsked((await openRequest(world, id, REQUEST, { browser })).page), true)
    })

    test('an application of an organization that leads elsewhere is asked about again', async () => {
      const application = await world.addApplication({ thirdParty: true })
      const browser = world.browser()
      const first = await browser.open(authorizationUrl(world, application))
      const page = await world.signIn(browser, first, 'ada')
      const stop = await browser.send(page, { do: 'allow' }, '/ui/consent')
      const { body } = await askToken(world, application, codeForm(new URL(stop.url).searchParams))
      assert.equal((await introspect(world, application, body.access_token)).body.active, true)
      const configuration = { redirectUris: [REDIRECT_URI, EVIL] }
      const change = { case: 'oidcConfiguration', value: configuration }
      const message = { applicationId: application.id, projectId: application.projectId, applicationType: change }
      await world.call(ApplicationService.method.updateApplication, message as never, world.owner)
      assert.equal(isAsked(await browser.open(authorizationUrl(world, application))), false)
      const elsewhere = await browser.open(authorizationUrl(world, application, { redirect_uri: EVIL }))
      assert.equal(isAsked(elsewhere), true)
      await browser.send(elsewhere, { do: 'allow' }, '/ui/consent')
      assert.equal((await introspect(world, application, body.access_token)).body.active, false)
    })

    test('an answer is to the page that was shown', async () => {
      const client = await KINDS.registration?.(FIRST)
      const { browser, page } = await openRequest(world, client?.id ?? '', REQUEST)
      await client?.change({ client_name: 'Other' })
      const again = await browser.send(page, { do: 'allow' }, '/ui/consent')
      assert.equal(isAsked(again), true)
      assert.ok(told(again).includes('Other'))
      assert.ok((await browser.send(again, { do: 'allow' }, '/ui/consent')).url.startsWith(CALLBACK))
    })

    const NAMES = [
      'GitHub (github.com)',
      'github.com',
      'GitHub/github.com',
      'GitHub [github.com]',
      'GitHub｛github．com｝',
      'GitHub ❨github。com❩',
      'GitHub ∕ github․com',
      'https://github.com',
      'github·com',
      'GitHub\\github',
      'githubꓸcom',
      'localhost',
      'GitHub <github>',
      'ada@github',
      undefined,
    ]
    for (const [kind, make] of Object.entries(KINDS)) {
      for (const name of NAMES) {
        if (kind === 'document' && name === undefined) continue
        test(`${kind}: the page shows the host of the code alone when the name is ${name ?? 'missing'}`, async () => {
          const client = await make({ client_name: name, redirect_uris: [GITHUB, EVIL] })
          const { page } = await openRequest(world, client.id, { ...REQUEST, redirect_uri: EVIL })
          assert.equal(isAsked(page), true)
          const text = told(page).replaceAll(MCP, '')
          assert.ok(text.includes('evil.example'))
          assert.doesNotMatch(text, /github|agent\.example|localhost/iu)
        })
      }
    }
  })
}
