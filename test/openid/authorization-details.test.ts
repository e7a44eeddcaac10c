/** Rich authorization requests (RFC 9396): a resource declares types, and the user allows each request by itself. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { engines } from '../support/engines.ts'
import { addFapiClient, askBound, frontUrl, push, redeemForm } from '../support/high-assurance.ts'
import {
  askToken,
  assertError,
  authorizationUrl,
  basic,
  codeForm,
  isSignInPage,
  type Parameters,
  post,
  refresh,
} from '../support/openid-flow.ts'
import {
  type Application,
  type Browser,
  type OpenIdWorld,
  openOpenIdWorld,
  REDIRECT_URI,
} from '../support/openid-world.ts'
import { readToken } from '../support/resources.ts'

const PAY = 'https://pay.example.com'
const OTHER = 'https://other.example.com'
const PAYMENT = { type: 'payment', amount: '45.00', payee: 'Charles \u202eegabbaB', actions: ['initiate'] }
const DETAILS = JSON.stringify([PAYMENT])

/** Parameters that are refused. */
const WRONG: readonly (readonly [string, string])[] = [
  ['a type that the resource does not declare', '[{"type":"account"}]'],
  ['a type of another resource', '[{"type":"message"}]'],
  ['a name that every object has', '[{"type":"__proto__"},{"type":"constructor"}]'],
  ['one good and one unknown type', '[{"type":"payment"},{"type":"account"}]'],
  ['no type', '[{"amount":"1"}]'],
  ['a type that is no text', '[{"type":["payment"]}]'],
  ['no array', '{"type":"payment"}'],
  ['an empty array', '[]'],
  ['no objects', '["payment",null]'],
  ['no JSON', '[{'],
  ['locations elsewhere', `[{"type":"payment","locations":["${OTHER}"]}]`],
  ['actions that are no list', '[{"type":"payment","actions":"all"}]'],
  ['an identifier that is no text', '[{"type":"payment","identifier":{}}]'],
  ['too much', JSON.stringify([{ type: 'payment', note: 'x'.repeat(4000) }])],
  ['too many', JSON.stringify(Array.from({ length: 11 }, () => ({ type: 'payment' })))],
]

for (const engine of engines) {
  suite(`rich authorization requests on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let api: Application

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
      application = await world.addApplication({ grantTypes: [0, 2, 3] })
      api = await world.addApi(application.projectId)
      await setTypes(application.projectId)
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const setTypes = (projectId: string, uri = PAY, other = OTHER) =>
      world.call(
        ProjectService.method.setProjectResources,
        {
          projectId,
          resources: [
            { uri, authorizationDetailsTypes: [{ type: 'payment', description: 'Pay from your account' }] },
            { uri: other, authorizationDetailsTypes: [{ type: 'message', description: 'Send a message' }] },
          ],
        },
        world.owner,
      )

    const ask = { resource: PAY, scope: 'openid offline_access', authorization_details: DETAILS }
    const open = async (browser: Browser, more: Parameters = {}) => {
      const page = await browser.open(authorizationUrl(world, application, { ...ask, ...more }))
      return isSignInPage(page) ? world.signIn(browser, page, 'ada') : page
    }
    const start = () => ({
      client_id: application.clientId,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
    })
    const isConsent = ({ url }: { readonly url: string }) => new URL(url).pathname === '/ui/consent'
    const codeIn = ({ url }: { readonly url: string }) => new URL(url).searchParams

    test('a project shows the types that were set', async () => {
      const { projectId } = application
      const { resources } = await world.call(ProjectService.method.listProjectResources, { projectId }, world.owner)
      const types = resources.map(({ authorizationDetailsTypes: all }) => all.map(({ type }) => type))
      assert.deepEqual(types, [['payment'], ['message']])
    })

    test('the user reads what is asked for, and tokens, answers and introspection say what was allowed', async () => {
      const browser = world.browser()
      const page = await open(browser)
      assert.ok(isConsent(page), page.url)
      for (const text of ['Pay from your account', 'amount', '45.00', 'initiate', 'Charles egabbaB']) {
        assert.ok(page.text.includes(text), text)
      }
      assert.ok(!page.text.includes('\u202e'))
      const stop = await browser.send(page, {}, '/ui/consent')
      const { body, status } = await askToken(world, application, codeForm(codeIn(stop)))
      assert.equal(status, 200)
      assert.deepEqual(body.authorization_details, [PAYMENT])
      const claims = readToken(body.access_token)
      assert.deepEqual([claims.aud, claims.authorization_details], [PAY, [PAYMENT]])
      const told = await post(`${world.url}/oauth/v2/introspect`, { token: body.access_token }, basic(api))
      assert.deepEqual(told.body.authorization_details, [PAYMENT])
      const fresh = await refresh(world, application, body.refresh_token)
      assert.deepEqual(fresh.body.authorization_details, [PAYMENT])
      assert.deepEqual(readToken(fresh.body.access_token).authorization_details, [PAYMENT])
    })

    test('each request is allowed by itself, the same words included, and the user can say no', async () => {
      const browser = world.browser()
      const first = await open(browser)
      const second = await browser.open(authorizationUrl(world, application, ask))
      assert.ok(isConsent(first) && isConsent(second))
      assert.ok(codeIn(await browser.send(second, {}, '/ui/consent')).has('code'))
      const third = await open(browser)
      assert.ok(isConsent(third), 'what was allowed before does not count')
      const none = await browser.open(authorizationUrl(world, application, { ...ask, prompt: 'none' }))
      assert.equal(codeIn(none).get('error'), 'consent_required')
      const denied = await browser.send(third, { do: 'deny' }, '/ui/consent')
      assert.equal(codeIn(denied).get('error'), 'access_denied')
    })

    test('without details, nothing is asked and nothing is said about them', async () => {
      const stop = await open(world.browser(), { authorization_details: undefined })
      const { body } = await askToken(world, application, codeForm(codeIn(stop)))
      assert.ok(!('authorization_details' in body) && !('authorization_details' in readToken(body.access_token)))
    })

    for (const [name, authorization_details] of WRONG) {
      test(`${name}: refused`, async () => {
        const stop = await world.browser().open(authorizationUrl(world, application, { ...ask, authorization_details }))
        assert.equal(codeIn(stop).get('error'), 'invalid_authorization_details', stop.url)
        const form = { ...start(), ...ask, authorization_details }
        const pushed = await post(`${world.url}/oauth/v2/par`, form, basic(application))
        assertError(pushed, 400, 'invalid_authorization_details')
      })
    }

    test('without a resource, for a device, or with another sign-in page they are refused', async () => {
      const form = { ...start(), ...ask, resource: undefined }
      const pushed = await post(`${world.url}/oauth/v2/par`, form, basic(application))
      assertError(pushed, 400, 'invalid_target')
      const device = await post(`${world.url}/oauth/v2/device_authorization`, ask, basic(application))
      assertError(device, 400, 'invalid_authorization_details')
      const value = { baseUri: 'https://login.example' }
      const own = await world.addApplication(
        { loginVersion: { version: { case: 'loginV2', value } } },
        application.projectId,
      )
      const stop = await world.browser().open(authorizationUrl(world, own, ask))
      assert.equal(codeIn(stop).get('error'), 'invalid_authorization_details', stop.url)
    })

    test('they go with a pushed request of an application of high assurance', async () => {
      const client = await addFapiClient(world)
      await setTypes(client.application.projectId, 'https://bank.example.com', 'https://more.example.com')
      const pushed = await push(world, client, { ...ask, resource: 'https://bank.example.com' })
      const browser = world.browser()
      const beside = { authorization_details: '[{"type":"payment","amount":"9999"}]' }
      const page = await world.signIn(browser, await browser.open(frontUrl(world, client, pushed, beside)), 'ada')
      assert.ok(isConsent(page) && page.text.includes('45.00') && !page.text.includes('9999'), page.url)
      const stop = await browser.send(page, {}, '/ui/consent')
      const { body } = await askBound(world, client, redeemForm(codeIn(stop)))
      assert.deepEqual(body.authorization_details, [PAYMENT])
    })
  })
}
