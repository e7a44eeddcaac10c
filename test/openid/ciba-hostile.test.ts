/** What applications must not reach on the back channel: people who are not theirs, pages that mislead, internal addresses. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { SignJWT, UnsecuredJWT } from 'jose'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { textsIn } from '../../src/web/language.ts'
import {
  APPROVALS,
  type ApprovingPerson,
  ASKING,
  addApprovingPerson,
  askApproval,
  CIBA,
  codeOf,
  ENDPOINT,
  openApproval,
  pollTokens,
  requestApproval,
} from '../support/ciba.ts'
import { engines } from '../support/engines.ts'
import {
  type Answer,
  assertError,
  basic,
  type Parameters,
  post,
  readIdToken,
  signInFor,
} from '../support/openid-flow.ts'
import { addApplicationKey, addMachineClient, assertionForm, type OwnKey } from '../support/openid-keys.ts'
import { assertSays } from '../support/openid-pages.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { MCP, resource, setResources } from '../support/resources.ts'

const en = textsIn('en')

type Claims = Readonly<Record<string, unknown>>

const REFUSED_MESSAGES: Readonly<Record<string, string>> = {
  'is empty': ' ',
  'is too long': 'x'.repeat(101),
  'has a line break': 'Pay 1 €\nto Ada',
  'has a tab': 'a\tb',
  'has a bell': 'a\u0007b',
  'turns its text around': 'Pay \u202e001 €',
  'embeds another direction': 'a\u202ab',
  'isolates another direction': 'a\u2066b',
  'has a mark of direction': 'a\u200fb',
  'has a space without width': 'a\u200bb',
  'joins letters': 'a\u200db',
  'has a soft hyphen': 'a\u00adb',
  'has a byte order mark': 'a\ufeffb',
  'separates lines': 'a\u2028b',
  'separates paragraphs': 'a\u2029b',
  'has a character of private use': 'a\ue000b',
  'has a character that does not exist': 'a\u0378b',
  'hides text in tags': 'a\u{e0041}b',
  'has a control of the second half': 'a\u0085b',
  'covers the lines around it': `a${'\u0301'.repeat(4)}`,
}

const REFUSED_REQUESTS: Readonly<Record<string, readonly [Parameters, string]>> = {
  'names nobody': [{ login_hint: undefined }, 'invalid_request'],
  'names somebody by a token': [{ login_hint: undefined, login_hint_token: 'a.b.c' }, 'invalid_request'],
  'names somebody twice': [{ id_token_hint: 'a.b.c' }, 'invalid_request'],
  'names somebody by no ID token': [{ login_hint: undefined, id_token_hint: 'a.b.c' }, 'invalid_request'],
  'names nobody who exists': [{ login_hint: 'nobody' }, 'unknown_user_id'],
  'names somebody by a very long name': [{ login_hint: 'x'.repeat(5000) }, 'unknown_user_id'],
  'contains what no database can store': [{ login_hint: 'a\0b' }, 'invalid_request'],
  'has no scope': [{ scope: undefined }, 'invalid_request'],
  'is not about OpenID': [{ scope: 'profile' }, 'invalid_request'],
  'names no organization that exists': [{ scope: 'openid urn:zitadel:iam:org:id:unknown' }, 'invalid_scope'],
  'ends before it begins': [{ requested_expiry: '0' }, 'invalid_request'],
  'ends in the past': [{ requested_expiry: '-5' }, 'invalid_request'],
  'ends at no time': [{ requested_expiry: 'soon' }, 'invalid_request'],
  'asks for a resource that does not exist': [{ resource: 'https://unknown.example' }, 'invalid_target'],
  'requires a level that does not exist': [
    { claims: JSON.stringify({ id_token: { acr: { essential: true, value: 'other' } } }) },
    'unmet_authentication_requirements',
  ],
  'has claims that are no JSON': [{ claims: '{' }, 'invalid_request'],
  'is signed by nobody': [{ request: 'a.b.c' }, 'invalid_request'],
  'is somewhere else': [{ request_uri: 'https://app.example/request' }, 'request_uri_not_supported'],
}

for (const engine of engines) {
  suite(`hostile requests on the back channel on ${engine.name}`, () => {
    let world: OpenIdWorld
    let bob: ApprovingPerson
    let application: Application

    before(async () => {
      world = await openOpenIdWorld({ engine })
      bob = await addApprovingPerson(world)
      application = await world.addApplication(ASKING)
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const waiting = async () => (await bob.browser.open(`${world.url}${APPROVALS}`)).text
    const isUnknown = (answer: Answer, expected: Answer) => {
      assertError(answer, 400, 'unknown_user_id')
      assert.equal(answer.text, expected.text)
    }

    for (const [what, message] of Object.entries(REFUSED_MESSAGES)) {
      test(`a message that ${what} is refused`, async () => {
        const answer = await askApproval(world, application, bob.name, { binding_message: message })
        assertError(answer, 400, 'invalid_binding_message')
      })
    }

    for (const [what, [form, error]] of Object.entries(REFUSED_REQUESTS)) {
      test(`a request that ${what} is refused`, async () => {
        assertError(await askApproval(world, application, bob.name, form), 400, error)
      })
    }

    test('nothing of all that reached the person', async () => {
      assert.ok((await waiting()).includes(en.approvals.none))
    })

    test('details that the page does not show are refused', async () => {
      const paying = await world.addApplication(ASKING)
      await setResources(world, paying.projectId, resource(MCP))
      const form = { resource: MCP, scope: 'openid tools:read', authorization_details: '[{"type":"payment"}]' }
      const answer = await askApproval(world, paying, bob.name, form)
      assertError(answer, 400, 'invalid_authorization_details')
      assert.match(answer.body.error_description, /approvals/)
    })

    test('HTML in a message is text', async () => {
      const asked = await requestApproval(world, application, bob.name, { binding_message: '<b>Pay</b>&amp;' })
      const { text } = await openApproval(world, bob.browser)
      assert.ok(text.includes('<bdi>&lt;b>Pay&lt;/b>&amp;amp;</bdi>'), text)
      await bob.browser.send(await openApproval(world, bob.browser), { do: 'refuse' }, APPROVALS)
      assertError(await pollTokens(world, application, asked), 400, 'access_denied')
    })

    test('a parameter that is there twice is refused', async () => {
      const form = new URLSearchParams([
        ['scope', 'openid'],
        ['login_hint', bob.name],
        ['login_hint', 'nobody'],
      ])
      assertError(await post(`${world.url}${ENDPOINT}`, form, basic(application)), 400, 'invalid_request')
    })

    test('people who cannot be asked are unknown, whatever the reason', async () => {
      const unknown = await askApproval(world, application, 'nobody')
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'Elsewhere' },
        world.owner,
      )
      await world.addPerson('elsewhere', { organisation: { org: { case: 'orgId', value: organizationId } } })
      const ended = await world.addPerson('ended')
      await world.call(UserService.method.deactivateUser, { userId: ended }, world.owner)
      const locked = await world.addPerson('locked')
      await world.call(UserService.method.lockUser, { userId: locked }, world.owner)
      const { userId: machine } = await addMachineClient(world)
      const names = ['elsewhere', 'elsewhere@example.com', 'ended', 'locked', machine, bob.userId]
      for (const name of names) isUnknown(await askApproval(world, application, name), unknown)
      const closed = await world.addApplication(ASKING, await world.addProject({ authorizationRequired: true }))
      isUnknown(await askApproval(world, closed, bob.name), unknown)
      const scope = `openid urn:zitadel:iam:org:id:${organizationId}`
      isUnknown(await askApproval(world, application, bob.name, { scope }), unknown)
      // An ID token proves that the person was there: then they can be asked again.
      const { id_token: hint } = await signInFor(world, application, { scope: 'openid' }, { name: 'elsewhere' })
      const form = { login_hint: undefined, id_token_hint: hint }
      assert.equal((await askApproval(world, application, '', form)).status, 200)
      const other = await world.addApplication(ASKING)
      assertError(await askApproval(world, other, '', form), 400, 'invalid_request')
    })

    test('a client that may not ask, or does not prove who it is, asks nobody', async () => {
      assertError(await askApproval(world, await world.addApplication(), bob.name), 400, 'unauthorized_client')
      const wrong = { ...application, clientSecret: 'wrong' }
      assertError(await askApproval(world, wrong, bob.name), 401, 'invalid_client')
      const bare = { client_id: application.clientId, scope: 'openid', login_hint: bob.name }
      assertError(await post(`${world.url}${ENDPOINT}`, bare), 401, 'invalid_client')
      for (const config of [
        { ...ASKING, authMethodType: 2 },
        { ...ASKING, cibaRequireSignedRequests: true },
        { ...ASKING, cibaNotificationUri: 'ftp://app.example' },
        { ...ASKING, cibaNotificationUri: 'https://a:b@app.example/' },
      ]) {
        await assert.rejects(world.addApplication(config), /application\.config_invalid|configuration/)
      }
    })

    test('an ID of another application, or of none, gets nothing', async () => {
      const asked = await requestApproval(world, application, bob.name)
      const other = await world.addApplication(ASKING)
      assertError(await pollTokens(world, other, asked), 400, 'invalid_grant')
      assertError(await pollTokens(world, application, { auth_req_id: 'unknown' }), 400, 'invalid_grant')
      const form = { grant_type: CIBA }
      assertError(await post(`${world.url}/oauth/v2/token`, form, basic(application)), 400, 'invalid_request')
    })
  })

  suite(`signed requests on the back channel on ${engine.name}`, () => {
    let world: OpenIdWorld
    let bob: ApprovingPerson
    let application: Application
    let key: OwnKey

    before(async () => {
      world = await openOpenIdWorld({ engine })
      application = await world.addApplication({ ...ASKING, authMethodType: 3, cibaRequireSignedRequests: true })
      key = await addApplicationKey(world, application)
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const now = () => Math.floor(Date.now() / 1000)
    const claimsOf = (more: Claims): Claims => ({
      iss: application.clientId,
      aud: world.url,
      iat: now(),
      nbf: now(),
      exp: now() + 300,
      jti: randomUUID(),
      scope: 'openid',
      login_hint: bob.name,
      binding_message: 'W4SCT',
      ...more,
    })
    const sign = (more: Claims = {}, privateKey = key.privateKey) =>
      new SignJWT(claimsOf(more)).setProtectedHeader({ alg: 'RS256', kid: key.keyId }).sign(privateKey)
    const send = async (form: Parameters) =>
      post(`${world.url}${ENDPOINT}`, { ...form, ...(await assertionForm(world, application, key)) })

    test('a signed request counts once, and leads to tokens', async () => {
      bob = await addApprovingPerson(world)
      const request = await sign()
      const asked = await send({ request })
      assert.equal(asked.status, 200, asked.text)
      assertError(await send({ request }), 400, 'invalid_request')
      const page = await openApproval(world, bob.browser)
      assertSays(page, 'W4SCT')
      assertSays(await bob.browser.send(page, { code: codeOf(world) }, APPROVALS), en.approvals.approved)
      const form = { grant_type: CIBA, auth_req_id: asked.body.auth_req_id }
      const proof = await assertionForm(world, application, key)
      const { body, text } = await post(`${world.url}/oauth/v2/token`, { ...form, ...proof })
      assert.equal((await readIdToken(world, application, body.id_token)).sub, bob.userId, text)
    })

    test('an unsigned one is refused, also when its parameters are beside a signed one', async () => {
      assertError(await send({ scope: 'openid', login_hint: bob.name }), 400, 'invalid_request')
      const request = await sign({ login_hint: undefined })
      assertError(await send({ request, login_hint: bob.name }), 400, 'invalid_request')
    })

    const wrong: Readonly<Record<string, () => Claims>> = {
      'without an ID': () => ({ jti: undefined }),
      'with an ID that is no text': () => ({ jti: 7 }),
      'without an end': () => ({ exp: undefined }),
      'without a beginning': () => ({ nbf: undefined }),
      'without a time': () => ({ iat: undefined }),
      'for more than an hour': () => ({ exp: now() + 3700 }),
      'that has ended': () => ({ nbf: now() - 600, exp: now() - 300 }),
      'that has not begun': () => ({ nbf: now() + 300, exp: now() + 600 }),
      'of somebody else': () => ({ iss: 'somebody' }),
      'for somebody else': () => ({ aud: 'https://other.example' }),
      'that names another client': () => ({ client_id: 'somebody' }),
      'inside of another': () => ({ request: 'a.b.c' }),
    }
    for (const [what, more] of Object.entries(wrong)) {
      test(`a signed request ${what} is refused`, async () => {
        const answer = await send({ request: await sign(more()) })
        assertError(answer, 400, 'invalid_request')
      })
    }

    test('another key, and none, sign nothing', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      assertError(await send({ request: await sign({}, privateKey) }), 400, 'invalid_request')
      const unsecured = new UnsecuredJWT(claimsOf({})).encode()
      assertError(await send({ request: unsecured }), 400, 'invalid_request')
    })
  })
}
