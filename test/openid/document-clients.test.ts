/** Clients that are known by their metadata documents: from the first request to the end of their access. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { consentId, consents } from '../../src/features/grants/documents.ts'
import { applicationsWithAccess, giveConsent, takeAccessBack } from '../../src/features/grants/index.ts'
import { users } from '../../src/features/users/index.ts'
import { textsIn } from '../../src/web/language.ts'
import {
  allow,
  allowAt,
  allowHere,
  CALLBACK,
  CLIENT,
  metadataOf,
  openRequest,
  openWeb,
  tokensFor,
} from '../support/agents.ts'
import { engines } from '../support/engines.ts'
import { introspect, post } from '../support/openid-flow.ts'
import { assertSays, told } from '../support/openid-pages.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { MCP, readToken, resource, setResources } from '../support/resources.ts'

const en = textsIn('en')

for (const engine of engines) {
  suite(`clients with a metadata document on ${engine.name}`, () => {
    const web = openWeb()
    let world: OpenIdWorld
    let projectId: string
    let api: Application
    let adaId: string
    const ON = { clientIdMetadataDocuments: { enabled: true, allowedDomains: [] } }
    const ask = { resource: MCP, scope: 'offline_access tools:read' }

    before(async () => {
      world = await openOpenIdWorld({ engine, fetchOutside: web.fetchOutside })
      adaId = await world.addPerson('ada')
      projectId = await world.addProject()
      api = await world.addApi(projectId)
      await setResources(world, projectId, resource(MCP))
      web.publish(CLIENT, metadataOf(CLIENT))
      await allowHere(world, ON)
      await allowAt(world, projectId, { clientIdMetadataDocuments: true })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const isActive = async (token: string) => (await introspect(world, api, token)).body.active
    const errorOf = async (clientId: string, more = {}) => {
      const { page } = await openRequest(world, clientId, { ...ask, ...more })
      return page.url.startsWith(CALLBACK) ? new URL(page.url).searchParams.get('error') : `page ${page.status}`
    }

    test('sign a user in without preparation, for a resource that allows it', async () => {
      const { browser, page } = await openRequest(world, CLIENT, ask)
      for (const text of ['Agent', MCP, 'Use tools:read']) assert.ok(page.text.includes(text), text)
      assert.ok((await allow(browser, page)).url.startsWith(CALLBACK))
      const tokens = await tokensFor(world, CLIENT, ask)
      const { aud, client_id: clientId, scope } = readToken(tokens.access_token)
      assert.deepEqual([aud, clientId, scope], [MCP, CLIENT, 'tools:read'])
      assert.equal(await isActive(tokens.access_token), true)
      const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: CLIENT }
      const again = await post(`${world.url}/oauth/v2/token`, form)
      assert.equal(readToken(again.body.access_token).aud, MCP)
    })

    test('are shown with the one host that users are sent to, the API, and for how long', async () => {
      const at = 'https://web.agent.example/callback'
      const host = 'https://seen.example/client.json'
      web.publish(host, metadataOf(host, { redirect_uris: [CALLBACK, at] }))
      const { page: device } = await openRequest(world, host, ask)
      const { asking } = en
      assertSays(device, asking.unverified, asking.unverifiedNote, asking.onDevice, asking.onDeviceNote)
      assertSays(device, MCP, asking.untilUnused({ time: '90 days', idle: '30 days' }))
      assert.ok(!told(device).includes('seen.example'))
      const { page: elsewhere } = await openRequest(world, host, { ...ask, scope: 'tools:read', redirect_uri: at })
      assertSays(elsewhere, 'web.agent.example', asking.untilSignOut({ time: '12 hours' }))
      assert.ok(!told(elsewhere).includes(asking.onDeviceNote))
    })

    test('may use any port of the device', async () => {
      const { browser, page } = await openRequest(world, CLIENT, {
        ...ask,
        redirect_uri: 'http://127.0.0.1:54321/callback',
        prompt: 'consent',
      })
      assert.ok((await allow(browser, page)).url.startsWith('http://127.0.0.1:54321/callback?code='))
    })

    test('are asked for consent once for each resource and again for more', async () => {
      const { browser } = await tokensFor(world, CLIENT, ask)
      const again = await openRequest(world, CLIENT, ask, { browser })
      assert.ok(again.page.url.startsWith(CALLBACK))
      const more = await openRequest(world, CLIENT, { ...ask, scope: 'tools:read tools:write' }, { browser })
      assert.equal(new URL(more.page.url).pathname, '/ui/consent')
    })

    test('get nothing at a project that does not allow them, or at an unknown resource', async () => {
      assert.equal(await errorOf(CLIENT, { resource: 'https://unknown.example/mcp' }), 'invalid_target')
      const closed = await world.addProject()
      await setResources(world, closed, resource('https://closed.example/mcp'))
      assert.equal(await errorOf(CLIENT, { resource: 'https://closed.example/mcp' }), 'invalid_target')
    })

    test('stop at once when the project, the instance or the list of domains no longer allows them', async () => {
      const { access_token: token, refresh_token: refreshToken } = await tokensFor(world, CLIENT, ask)
      const refreshed = () =>
        post(`${world.url}/oauth/v2/token`, {
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
          client_id: CLIENT,
        })
      const ends: readonly (readonly [() => Promise<unknown>, () => Promise<unknown>])[] = [
        [() => allowAt(world, projectId, {}), () => allowAt(world, projectId, { clientIdMetadataDocuments: true })],
        [() => allowHere(world, {}), () => allowHere(world, ON)],
        [
          () => allowHere(world, { clientIdMetadataDocuments: { enabled: true, allowedDomains: ['other.example'] } }),
          () => allowHere(world, ON),
        ],
      ]
      for (const [end, begin] of ends) {
        assert.equal(await isActive(token), true)
        await end()
        assert.equal(await isActive(token), false)
        assert.notEqual((await refreshed()).status, 200)
        assert.notEqual(await errorOf(CLIENT), null)
        await begin()
      }
      assert.equal(await isActive(token), true)
    })

    test('have no token that the user does not allow, however it came about', async () => {
      const { access_token: token } = await tokensFor(world, CLIENT, ask)
      // As if a grant had been opened while access was taken back: only the consent is withdrawn.
      await world.store.write(world.origin(), (work) =>
        work.decide(consents, consentId(adaId, CLIENT, MCP), { type: 'withdraw' }),
      )
      assert.equal(await isActive(token), false)
    })

    test('are on the account page also without tokens, because they would get some without asking', async () => {
      const userId = await world.addPerson('bo')
      await giveConsent(world.app, world.origin(), {
        ...{
          userId,
          clientId: CLIENT,
          resource: MCP,
          scopes: ['tools:read'],
          picture: { frame: '', places: [], scopes: [] },
          organizationId: (await world.store.get(users, userId))?.owner ?? '',
        },
      })
      const [own] = await applicationsWithAccess(world.app, userId)
      assert.deepEqual(own?.resources, [{ uri: MCP, sentences: ['Use tools:read'] }])
      await takeAccessBack(world.app, world.origin(), userId, own?.applicationId ?? '')
      assert.deepEqual(await applicationsWithAccess(world.app, userId), [])
    })

    test('are applications of the project, which somebody can deactivate, and which users can end', async () => {
      const { access_token: token } = await tokensFor(world, CLIENT, ask)
      const [own] = await applicationsWithAccess(world.app, adaId)
      assert.equal(own?.name, 'Agent (agent.example)')
      const applicationId = own?.applicationId ?? ''
      const { application } = await world.call(ApplicationService.method.getApplication, { applicationId }, world.owner)
      assert.deepEqual([application?.projectId, application?.apiAccess], [projectId, 1])
      await world.call(ApplicationService.method.deactivateApplication, { applicationId, projectId }, world.owner)
      assert.equal(await isActive(token), false)
      assert.equal(await errorOf(CLIENT), 'invalid_target')
      await world.call(ApplicationService.method.reactivateApplication, { applicationId, projectId }, world.owner)
      assert.equal(await isActive(token), false)
      const { access_token: later } = await tokensFor(world, CLIENT, ask)
      assert.equal(await isActive(later), true)
      const browser = world.browser()
      const account = await world.signIn(browser, await browser.open(`${world.url}/ui/account`), 'ada')
      assertSays(account, `Agent (agent.example) (${en.asking.unverified})`, MCP, 'Use tools:read', en.access.firstUsed)
      await takeAccessBack(world.app, world.origin(), adaId, applicationId)
      assert.equal(await isActive(later), false)
      assert.deepEqual(await applicationsWithAccess(world.app, adaId), [])
      const { page } = await openRequest(world, CLIENT, ask)
      assert.equal(new URL(page.url).pathname, '/ui/consent')
    })
  })
}
