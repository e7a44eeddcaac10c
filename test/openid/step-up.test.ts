/** An API asks for a stronger or newer sign-in (RFC 9470), and the user adds a factor in the session that they have. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { challengeFor } from '../../examples/api/step-up.ts'
import { totpCode, totpStep } from '../../src/crypto/totp.ts'
import { finishRegistration, startRegistration } from '../../src/features/passkeys/index.ts'
import { textsIn } from '../../src/web/language.ts'
import { type Authenticator, newAuthenticator } from '../support/authenticator.ts'
import { APPROVALS, ASKING, openApproval, pollTokens, requestApproval } from '../support/ciba.ts'
import { engines } from '../support/engines.ts'
import {
  ask,
  askToken,
  authorizationUrl,
  authorize,
  codeForm,
  introspect,
  isSignInPage,
  type Parameters,
  readIdToken,
} from '../support/openid-flow.ts'
import { assertSays, signedIn } from '../support/openid-pages.ts'
import {
  type Application,
  type Browser,
  type OpenIdWorld,
  openOpenIdWorld,
  PASSWORD,
  REDIRECT_URI,
} from '../support/openid-world.ts'
import { MCP, resource, setResources } from '../support/resources.ts'

const en = textsIn('en')

const ONE = 'urn:signet:acr:1'
const TWO = 'urn:signet:acr:2'

for (const engine of engines) {
  suite(`step-up on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let api: Server
    let url: string

    before(async () => {
      world = await openOpenIdWorld({ engine })
      application = await world.addApplication(ASKING)
      await setResources(world, application.projectId, resource(MCP))
      const keys = createRemoteJWKSet(new URL(`${world.url}/oauth/v2/keys`))
      api = createServer(async (request, response) => {
        const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
        const { payload } = await jwtVerify(token, keys, { issuer: world.url, audience: MCP })
        const challenge = challengeFor(payload, { acr: TWO, maxAge: 300 })
        if (challenge !== undefined) return response.writeHead(401, { 'www-authenticate': challenge }).end()
        return response.end('paid')
      })
      await new Promise<void>((done) => api.listen(0, '127.0.0.1', done))
      url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    })

    after(async () => {
      api.close()
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const pay = (token: string) => ask(url, { headers: { authorization: `Bearer ${token}` } })
    const tokensOf = async (values: URLSearchParams) => (await askToken(world, application, codeForm(values))).body
    const forApi = { resource: MCP, scope: 'openid tools:read' }
    /** The parameters of a challenge, as a client reads them. */
    const asked = (challenge: string | null): Parameters =>
      Object.fromEntries(
        [...(challenge ?? '').matchAll(/(acr_values|max_age)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      )

    const addPasskey = async (userId: string): Promise<Authenticator> => {
      const authenticator = newAuthenticator({ counts: true })
      const use = 'passkey' as const
      const made = await startRegistration(world.app, world.origin(), { userId, use, domain: 'localhost' })
      const credential = authenticator.create(made.options, { origin: world.url })
      const { passkeyId } = made
      await finishRegistration(world.app, world.origin(), {
        userId,
        use,
        passkeyId,
        credential,
        name: 'Key',
        nameField: 'passkeyName',
      })
      return authenticator
    }
    /** Does what the script of a page does with a passkey. */
    const usePasskey = async (browser: Browser, path: string, kept: Record<string, string>, key: Authenticator) => {
      const { text } = await browser.submit(`${world.url}${path}`, new URLSearchParams(kept))
      assert.ok(text.includes('publicKey'), text)
      const credential = key.get(JSON.parse(text), { origin: world.url })
      const form = new URLSearchParams({ ...kept, credential: JSON.stringify(credential) })
      return browser.submit(`${world.url}${path}`, form)
    }

    test('the challenge leads to a second factor in the session, and the new token is accepted', async () => {
      await world.addPerson('ada')
      const browser = world.browser()
      const weak = await tokensOf((await authorize(world, application, forApi, { browser })).values)
      const refused = await pay(weak.access_token)
      assert.equal(refused.status, 401)
      assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer error="insufficient_user_authentication"/)
      const more = asked(refused.headers.get('www-authenticate'))
      assert.deepEqual(more, { acr_values: TWO, max_age: '300' })
      // Elsewhere, she sets up an app for codes; the session of this browser has one factor still.
      const other = await signedIn(world, 'ada')
      const app = await other.send(await other.open(`${world.url}/ui/account`), {}, '/ui/account/totp')
      const secret = /name="secret" value="([A-Z2-7]+)"/.exec(app.text)?.[1] ?? ''
      const step = () => totpStep(world.app.clock())
      await other.send(app, { code: totpCode(secret, step() - 1) }, '/ui/account/totp')
      const page = await browser.open(authorizationUrl(world, application, { ...forApi, ...more }))
      assert.equal(new URL(page.url).pathname, '/ui/login/second-factor', page.text)
      const back = await browser.send(page, { code: totpCode(secret, step()) }, '/ui/login/second-factor')
      assert.ok(back.url.startsWith(REDIRECT_URI), back.url)
      const strong = await tokensOf(new URL(back.url).searchParams)
      assert.equal((await pay(strong.access_token)).text, 'paid')
      const shown = (await introspect(world, application, strong.access_token)).body
      assert.equal(shown.acr, TWO)
      assert.equal(typeof shown.auth_time, 'number')
    })

    test('who has a passkey is asked for it once; who has none continues, and the token says so', async () => {
      const userId = await world.addPerson('eve')
      const browser = world.browser()
      const wish = { acr_values: TWO }
      const as = { browser, name: 'eve' }
      assert.ok((await authorize(world, application, {}, as)).wasAsked)
      const plain = await authorize(world, application, wish, as)
      assert.ok(!plain.wasAsked)
      const key = await addPasskey(userId)
      const silent = await authorize(world, application, { ...wish, prompt: 'none' }, as)
      assert.equal((await readIdToken(world, application, (await tokensOf(silent.values)).id_token)).acr, ONE)
      const page = await browser.open(authorizationUrl(world, application, wish))
      assert.ok(isSignInPage(page), page.url)
      // With the password again, she has done what she could.
      const weak = await browser.send(page, { password: PASSWORD }, '/ui/login')
      assert.ok(weak.url.startsWith(REDIRECT_URI), weak.url)
      const again = await browser.open(authorizationUrl(world, application, wish))
      const next = new URL(again.url).searchParams.get('next') ?? ''
      const strong = await usePasskey(browser, '/ui/login/passkey', { again: 'yes', next }, key)
      const { id_token: token } = await tokensOf(new URL(strong.url).searchParams)
      assert.equal((await readIdToken(world, application, token)).acr, TWO)
    })

    test('a request on the back channel is approved with a passkey', async () => {
      const userId = await world.addPerson('fay')
      const key = await addPasskey(userId)
      const browser = await signedIn(world, 'fay')
      const request = await requestApproval(world, application, 'fay', { ...forApi })
      const page = await openApproval(world, browser)
      assertSays(page, en.approvals.withPasskey, MCP, 'Use tools:read')
      const id = new URL(page.url).searchParams.get('id') ?? ''
      const done = await usePasskey(browser, APPROVALS, { id, do: 'approve', with: 'passkey' }, key)
      assertSays(done, en.approvals.approved)
      const { body, text } = await pollTokens(world, application, request)
      assert.equal((await pay(body.access_token)).text, 'paid', text)
    })
  })
}
