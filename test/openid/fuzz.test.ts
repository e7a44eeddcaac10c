/** Whatever a client sends, no endpoint answers 500, and no answer of /authorize leaves for an unregistered address. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import { engines } from '../support/engines.ts'
import { ask, authorizationUrl, basic, signInFor } from '../support/openid-flow.ts'
import { addMachineClient, type MachineClient } from '../support/openid-keys.ts'
import {
  type Application,
  type Browser,
  type OpenIdWorld,
  openOpenIdWorld,
  REDIRECT_URI,
} from '../support/openid-world.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? 60)

/** Parameters that some endpoint reads. */
const NAMES = [
  ...['client_id', 'client_secret', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce'],
  ...['prompt', 'max_age', 'ui_locales', 'claims', 'claims_locales', 'id_token_hint', 'login_hint', 'acr_values'],
  ...['display', 'request', 'request_uri', 'registration', 'code_challenge', 'code_challenge_method', 'dpop_jkt'],
  ...['grant_type', 'code', 'code_verifier', 'refresh_token', 'device_code', 'token', 'token_type_hint', 'assertion'],
  ...['client_assertion', 'client_assertion_type', 'subject_token', 'subject_token_type', 'actor_token'],
  ...['actor_token_type', 'requested_token_type', 'audience', 'resource', 'access_token', 'user_code'],
  ...['post_logout_redirect_uri', 'logout_hint', '__proto__', 'constructor', 'authRequest', 'orgId'],
]

const SPECIAL = [
  ...['', ' ', '\u0000', '\uFFFD', '\u202E', '"', '\\', '%', '%00', '+', '{}', '[]', '{"id_token":null}', 'null'],
  ...['{"userinfo":{"__proto__":null}}', '{"id_token":{"sub":null}}', '{"id_token":{"sub":{"value":{}}}}'],
  ...['-1', '0', '1e999', 'NaN', '99999999999999999999', 'a.b.c', 'e30.e30.', 'eyJhbGciOiJub25lIn0.e30.'],
  ...['none', 'login', 'consent', 'select_account', 'create', 'none login', 'openid', 'offline_access', 'code'],
  ...['query', 'fragment', 'form_post', 'S256', 'plain', 'de', 'x'.repeat(3000), 'ä'.repeat(300)],
  ...['https://evil.test/', 'javascript:alert(1)', '//evil.test', REDIRECT_URI, 'https://app.example/callback#x'],
  ...['urn:ietf:params:oauth:request_uri:x', 'urn:ietf:params:oauth:token-type:access_token'],
  ...['urn:zitadel:params:oauth:token-type:user_id', 'urn:zitadel:iam:org:id:1', 'urn:zitadel:iam:org:id:\u0000'],
  ...['urn:zitadel:iam:org:domain:primary:\u0000', 'urn:zitadel:iam:org:project:id:x:aud', 'signet_at_x'],
  `signet_at_${'A'.repeat(64)}`,
  `signet_rt_${'A'.repeat(64)}`,
  `signet_ac_${'A'.repeat(64)}`,
  `signet_pat_${'A'.repeat(64)}`,
]

const GRANT_TYPES = [
  ...['authorization_code', 'refresh_token', 'client_credentials', 'password', 'implicit'],
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...SPECIAL) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)
const parameters = fc.array(fc.tuple(fc.constantFrom(...NAMES), text), { maxLength: 6 })

for (const engine of engines) {
  suite(`faulty requests on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let machine: MachineClient
    let browser: Browser

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
      application = await world.addApplication({ grantTypes: [0, 2, 3, 4] })
      machine = await addMachineClient(world)
      browser = world.browser()
      await signInFor(world, application, {}, { browser })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    async function assertNoFault(url: string, init: RequestInit): Promise<void> {
      const answer = await ask(url, init)
      assert.ok(answer.status < 500, `${answer.status} ${answer.text}`)
      assert.deepEqual(world.faults, [])
      const location = answer.headers.get('location')
      if (location === null) return
      const target = new URL(location, world.url)
      const isOurs = target.origin === world.url
      assert.ok(isOurs || target.href.split(/[?#]/)[0] === REDIRECT_URI, location)
    }

    test('GET and POST of /authorize, with and without a session', async () => {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      await fc.assert(
        fc.asyncProperty(parameters, fc.boolean(), fc.boolean(), async (given, isSignedIn, isPost) => {
          const url = new URL(authorizationUrl(world, application))
          for (const [name, value] of given) url.searchParams.set(name, value)
          const headers: Record<string, string> = isSignedIn ? { cookie } : {}
          const [address = '', query = ''] = url.href.split('?')
          if (isPost) await assertNoFault(address, { method: 'POST', headers, body: new URLSearchParams(query) })
          await assertNoFault(url.href, { headers })
        }),
        { numRuns: RUNS },
      )
    })

    test('a character that cannot be stored is refused, and the answer names the parameter', async () => {
      const url = new URL(authorizationUrl(world, application))
      url.searchParams.set('state', 'a\u0000b')
      const shown = await ask(url.href, {})
      assert.equal(shown.status, 400)
      assert.match(shown.text, /The parameter state contains a character that is not allowed/)
      const form = new URLSearchParams({ client_id: application.clientId, scope: 'openid', nonce: '\u0000' })
      const told = await ask(`${world.url}/oauth/v2/par`, {
        method: 'POST',
        headers: basic(application) as Record<string, string>,
        body: form,
      })
      assert.deepEqual(JSON.parse(told.text), {
        error: 'invalid_request',
        error_description: 'The parameter nonce contains a character that is not allowed.',
      })
    })

    const endpoints = [
      ...['/oauth/v2/token', '/oauth/v2/introspect', '/oauth/v2/revoke', '/oauth/v2/device_authorization'],
      ...['/oauth/v2/par', '/oauth/v2/bc-authorize', '/oidc/v1/userinfo', '/oidc/v1/end_session'],
    ]
    for (const path of endpoints) {
      test(`POST ${path}`, async () => {
        const clients = fc.constantFrom('application', 'machine', 'none', 'broken')
        await fc.assert(
          fc.asyncProperty(parameters, clients, fc.constantFrom(...GRANT_TYPES), text, async (given, by, type, odd) => {
            const form = new URLSearchParams({ grant_type: type, client_id: application.clientId, token: 'x' })
            for (const [name, value] of given) form.set(name, value)
            if (by === 'machine') form.delete('client_id')
            const credentials = {
              application: basic(application).authorization,
              machine: basic(machine).authorization,
              none: undefined,
              broken: `Basic ${Buffer.from(odd).toString('base64')}`,
            }[by]
            const headers: Record<string, string> = credentials === undefined ? {} : { authorization: credentials }
            await assertNoFault(`${world.url}${path}`, { method: 'POST', headers, body: form })
          }),
          { numRuns: RUNS },
        )
      })
    }

    test('GET of userinfo, end_session and the address that continues a request', async () => {
      const paths = fc.constantFrom('/oidc/v1/userinfo', '/oidc/v1/end_session', '/oauth/v2/authorize/x')
      await fc.assert(
        fc.asyncProperty(paths, parameters, text, async (path, given, odd) => {
          const header = encodeURIComponent(odd)
          const headers = { authorization: `Bearer ${header}`, cookie: `signet_resume=${header}`, dpop: header }
          await assertNoFault(`${world.url}${path}?${new URLSearchParams(given)}`, { headers })
        }),
        { numRuns: RUNS },
      )
    })
  })
}
