/** A level of authentication that an application requires (`acr` as an essential claim), and one that it only prefers. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { MultiFactorType } from '../../contract/gen/signet/policy/v1/login_pb.ts'
import { newSessionToken } from '../../src/crypto/tokens.ts'
import { totpCode, totpStep } from '../../src/crypto/totp.ts'
import { approveDevice, requireDeviceByUserCode } from '../../src/features/authorization-requests/index.ts'
import type { AssertionChallenge } from '../../src/features/passkeys/index.ts'
import type { Check } from '../../src/features/sessions/decider.ts'
import { sessions } from '../../src/features/sessions/documents.ts'
import { readPerson } from '../../src/features/sessions/handlers/gather-checks.ts'
import { findOpenSession } from '../../src/features/sessions/index.ts'
import { engines } from '../support/engines.ts'
import { TOTP_SECRET } from '../support/hosted-pages.ts'
import {
  createCallback,
  type HeldSession,
  openSession,
  startRequest,
  tokensOf,
  WITH_LOGIN_PAGE,
} from '../support/login-page.ts'
import {
  ask,
  askToken,
  assertError,
  authorizationUrl,
  authorize,
  basic,
  codeForm,
  isSignInPage,
  type Parameters,
  post,
  readIdToken,
} from '../support/openid-flow.ts'
import {
  type Application,
  type Browser,
  type OpenIdWorld,
  openOpenIdWorld,
  REDIRECT_URI,
} from '../support/openid-world.ts'
import { isRefused } from '../support/small-world.ts'

const ONE = 'urn:signet:acr:1'
const TWO = 'urn:signet:acr:2'
const UNMET = 'unmet_authentication_requirements'

function acr(asked: object): string {
  return JSON.stringify({ id_token: { acr: asked } })
}

const REQUIRES_TWO = { claims: acr({ essential: true, values: [TWO] }) }

/** A session with one more check, whose proof was examined before. */
async function addCheck({ app, store, ...world }: OpenIdWorld, { sessionId }: HeldSession, check: Check) {
  const { text: sessionToken, hash: tokenHash } = newSessionToken(sessionId)
  await store.write(world.origin(), async (work) => {
    const at = app.clock()
    const user = (await findOpenSession(work, sessionId, at))?.state.user
    const person = await readPerson(app, work, user?.id ?? '')
    assert.ok(person)
    const common = { type: 'update', at, person, metadata: {}, defaultExpiresAt: at, tokenHash } as const
    const webAuthN = { challenge: 'one' } as AssertionChallenge
    await work.decide(sessions, sessionId, { ...common, checks: [], challenges: { webAuthN } })
    await work.decide(sessions, sessionId, { ...common, checks: [check], challenges: {} })
  })
  return { sessionId, sessionToken }
}

for (const engine of engines) {
  suite(`a required level of authentication on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let ada: string
    /** The form of a pushed request. */
    let pushed: Parameters

    before(async () => {
      world = await openOpenIdWorld({ engine })
      ada = await world.addPerson('ada')
      await world.addPerson('bob', { totpSecret: TOTP_SECRET })
      application = await world.addApplication({ grantTypes: [0, 3] })
      const { clientId } = application
      pushed = { client_id: clientId, redirect_uri: REDIRECT_URI, response_type: 'code', scope: 'openid' }
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const acrOf = async (values: URLSearchParams) => {
      const { body } = await askToken(world, application, codeForm(values))
      return (await readIdToken(world, application, body.id_token)).acr
    }

    /** Signs bob in with password and code; returns what the application receives. */
    const signInTwice = async (browser: Browser, claims: string) => {
      const page = await browser.open(authorizationUrl(world, application, { claims }))
      const second = await world.signIn(browser, page, 'bob')
      const code = totpCode(TOTP_SECRET, totpStep(world.app.clock()))
      const { url } = await browser.send(second, { code }, '/ui/login/second-factor')
      assert.ok(url.startsWith(REDIRECT_URI), url)
      return new URL(url).searchParams
    }

    test('the authorization fails if the sign-in does not reach it', async () => {
      for (const asked of [{ values: [TWO] }, { value: TWO }, { values: ['other', TWO] }]) {
        const claims = acr({ essential: true, ...asked })
        const { values, wasAsked } = await authorize(world, application, { claims })
        assert.ok(wasAsked)
        assert.equal(values.get('error'), UNMET)
        assert.equal(values.get('state'), 'the-state')
        assert.equal(values.get('iss'), world.url)
        assert.equal(values.get('code'), null)
      }
    })

    test('a user who is signed in with less is asked to sign in again; without a page the request fails', async () => {
      const browser = world.browser()
      assert.equal(await acrOf((await authorize(world, application, {}, { browser })).values), ONE)
      const silent = await authorize(world, application, { ...REQUIRES_TWO, prompt: 'none' }, { browser })
      assert.equal(silent.values.get('error'), 'login_required')
      const { values, wasAsked } = await authorize(world, application, REQUIRES_TWO, { browser })
      assert.ok(wasAsked)
      assert.equal(values.get('error'), UNMET)
      const enough = await authorize(world, application, { claims: acr({ essential: true, value: ONE }) }, { browser })
      assert.ok(!enough.wasAsked)
      assert.equal(await acrOf(enough.values), ONE)
    })

    test('two factors reach it, and reach the level of one factor too', async () => {
      const browser = world.browser()
      assert.equal(await acrOf(await signInTwice(browser, REQUIRES_TWO.claims)), TWO)
      const again = await authorize(world, application, REQUIRES_TWO, { browser })
      assert.ok(!again.wasAsked)
      const one = await authorize(world, application, { claims: acr({ essential: true, value: ONE }) }, { browser })
      assert.ok(!one.wasAsked)
      assert.equal(await acrOf(one.values), ONE)
    })

    test('a level that is only preferred is met if possible', async () => {
      const wishes = [{ acr_values: TWO }, { claims: acr({ values: [TWO] }) }, { claims: acr({ essential: true }) }]
      for (const wish of wishes) {
        assert.equal(await acrOf((await authorize(world, application, wish)).values), ONE)
      }
      // The parameter does not weaken the claim.
      const both = await authorize(world, application, { ...REQUIRES_TWO, acr_values: ONE })
      assert.equal(both.values.get('error'), UNMET)
    })

    test('a level that does not exist fails at once, and a wrong form is refused', async () => {
      const cases = [
        [{ essential: true, values: ['other'] }, UNMET],
        [{ essential: true, values: [] }, UNMET],
        [{ essential: true, value: 'other' }, UNMET],
        [{ essential: true, values: TWO }, 'invalid_request'],
        [{ essential: true, value: 2 }, 'invalid_request'],
      ] as const
      for (const [asked, error] of cases) {
        const claims = acr(asked)
        const { values, wasAsked } = await authorize(world, application, { claims })
        assert.ok(!wasAsked)
        assert.equal(values.get('error'), error, claims)
        const form = { ...pushed, claims }
        assertError(await post(`${world.url}/oauth/v2/par`, form, basic(application)), 400, error)
      }
    })

    test('a pushed request keeps it', async () => {
      const { body } = await post(`${world.url}/oauth/v2/par`, { ...pushed, ...REQUIRES_TWO }, basic(application))
      const query = new URLSearchParams({ client_id: application.clientId, request_uri: body.request_uri })
      const browser = world.browser()
      const page = await browser.open(`${world.url}/oauth/v2/authorize?${query}`)
      assert.ok(isSignInPage(page))
      const { url } = await world.signIn(browser, page, 'ada')
      assert.equal(new URL(url).searchParams.get('error'), UNMET)
    })

    test('a login page of the caller gets no code for less, and can continue with the request', async () => {
      const own = await world.addApplication(WITH_LOGIN_PAGE)
      const login = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
      const id = await startRequest(world, own, REQUIRES_TWO)
      const answer = createCallback(world, login, id, await openSession(world, ada))
      await isRefused(answer, 'authorization_request.acr_unmet')
      await isRefused(
        createCallback(world, login, id, await openSession(world, ada)),
        'authorization_request.acr_unmet',
      )
    })

    test('a password and an account elsewhere are one factor, as on our pages', async () => {
      const own = await world.addApplication(WITH_LOGIN_PAGE)
      const login = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
      const held = await openSession(world, ada)
      const shown = await addCheck(world, held, { check: 'intent' })
      const answer = createCallback(world, login, await startRequest(world, own, REQUIRES_TWO), shown)
      await isRefused(answer, 'authorization_request.acr_unmet')
      const tokens = await tokensOf(world, login, own, shown, { nonce: 'the-nonce' })
      const { acr: level, amr } = JSON.parse(atob((tokens.id_token ?? '').split('.')[1] ?? ''))
      assert.deepEqual({ level, amr }, { level: ONE, amr: ['pwd'] })
    })

    test('a passkey is one factor where the organization says so', async () => {
      const own = await world.addApplication(WITH_LOGIN_PAGE)
      const login = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
      const passkey = {
        check: 'web_auth_n',
        challenge: 'one',
        keyId: 'key',
        use: 'passkey',
        userVerified: true,
      } as const
      const shown = await addCheck(world, await openSession(world, ada), passkey)
      const answer = async () => createCallback(world, login, await startRequest(world, own, REQUIRES_TWO), shown)
      const type = MultiFactorType.U2F_WITH_VERIFICATION
      await world.call(AdminService.method.removeMultiFactorFromLoginPolicy, { type }, world.owner)
      await isRefused(answer(), 'authorization_request.acr_unmet')
      await world.call(AdminService.method.addMultiFactorToLoginPolicy, { type }, world.owner)
      assert.ok((await answer()).searchParams.has('code'))
    })

    test('a device gets no access from a sign-in with less', async () => {
      const form = { scope: 'openid', ...REQUIRES_TWO }
      const { body } = await post(`${world.url}/oauth/v2/device_authorization`, form, basic(application))
      const found = await requireDeviceByUserCode(world.app, body.user_code, world.app.clock())
      const { sessionId } = await openSession(world, ada)
      const approval = world.store.write(world.origin(), (work) => approveDevice(world.app, work, found.id, sessionId))
      await isRefused(approval, 'authorization_request.acr_unmet')
    })

    test('discovery names the levels and the parameter', async () => {
      const { body } = await ask(`${world.url}/.well-known/openid-configuration`)
      assert.deepEqual(body.acr_values_supported, [ONE, TWO])
      assert.equal(body.claims_parameter_supported, true)
    })
  })
}
