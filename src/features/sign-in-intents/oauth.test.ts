import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { after, before, beforeEach, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { AutoLinkingOption, openProviderWorld, type ProviderWorld } from '../../../test/support/provider-world.ts'
import { type Json, writeToken } from '../../../test/support/scripted-provider.ts'
import { users } from '../users/index.ts'

const OCTO = { id: 583231, login: 'octo', name: 'Octo Cat', email: 'public@corp.example' }
const ADDRESSES = [
  { email: 'old@corp.example', primary: false, verified: true },
  { email: 'octo@corp.example', primary: true, verified: true },
]
const BOSS = { bearer: 'boss' }

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })

function written(claims: Json): string {
  return writeToken({ alg: 'RS256', kid: 'key' }, claims, KEY.privateKey)
}

/** A provider like GitHub: OAuth 2.0, no discovery, no id token. */
suite('a provider that speaks OAuth 2.0 only', () => {
  let world: ProviderWorld
  let origin = ''
  let user: unknown
  let addresses: unknown
  let status = 200
  let tokens: Record<string, unknown>
  const asked: { path: string; authorization: string | undefined; body: URLSearchParams }[] = []
  const read = async (request: IncomingMessage) =>
    new URLSearchParams(Buffer.concat(await request.toArray()).toString())
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    asked.push({ path, authorization: request.headers.authorization, body: await read(request) })
    const reply = (value: unknown, code = 200) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (path === '/token') reply(tokens)
    else if (path === '/user') reply(user, status)
    else reply(addresses, addresses === undefined ? 404 : 200)
  })
  before(async () => {
    world = await openProviderWorld()
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const address = server.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  })
  beforeEach(() => {
    user = OCTO
    addresses = ADDRESSES
    status = 200
    tokens = { access_token: 'gho_1', token_type: 'bearer', scope: 'user' }
    asked.length = 0
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await world.dispose()
  })

  let providers = 0
  const endpoints = () => ({
    clientId: 'client',
    clientSecret: 'secret',
    authorizationEndpoint: `${origin}/authorize?tenant=1`,
    tokenEndpoint: `${origin}/token`,
    userEndpoint: `${origin}/user`,
  })
  const options = { isLinkingAllowed: true, isCreationAllowed: true }
  const addGitHub = async (autoLinking: AutoLinkingOption = AutoLinkingOption.UNSPECIFIED, isAutoCreation = true) => {
    const providerOptions = { ...options, isAutoCreation, autoLinking }
    const message = { name: `GitHub ${++providers}`, ...endpoints(), providerOptions }
    return (await world.call(ManagementService.method.addGitHubEnterpriseServerProvider, message, BOSS)).id
  }
  const addGeneric = async (idAttribute: string) => {
    const message = { name: `OAuth ${++providers}`, ...endpoints(), idAttribute, providerOptions: options }
    return (await world.call(ManagementService.method.addGenericOAuthProvider, message, BOSS)).id
  }
  const go = async (idpId: string, change: Record<string, string> = {}) => {
    const { authUrl, state, intentId } = await world.start(idpId)
    const url = await world.finishAt(new URLSearchParams({ code: 'c', state, ...change }))
    const { searchParams } = url
    return { authUrl: new URL(authUrl), intentId, token: searchParams.get('token') ?? '', searchParams }
  }

  test('is asked with PKCE and state, and tells who it is at its user endpoint', async () => {
    const { authUrl, intentId, token, searchParams } = await go(await addGitHub())
    assert.equal(authUrl.searchParams.get('tenant'), '1')
    assert.equal(authUrl.searchParams.get('code_challenge_method'), 'S256')
    assert.equal(authUrl.searchParams.get('nonce'), null)
    const [first, second] = asked
    assert.equal(first?.body.get('client_secret'), 'secret')
    assert.ok(first.body.get('code_verifier'))
    assert.equal(second?.authorization, 'Bearer gho_1')
    const { idpInformation } = await world.retrieve(intentId, token)
    assert.equal(idpInformation?.userId, '583231')
    assert.equal(idpInformation.userName, 'octo')
    const { access } = idpInformation
    assert.ok(access.case === 'oauth')
    assert.equal(access.value.accessToken, 'gho_1')
    assert.equal(access.value.idToken, undefined)
    const person = await world.store.get(users, searchParams.get('user') ?? '')
    assert.ok(person !== undefined && 'email' in person.state)
    assert.equal(person.state.userName, 'octo')
    // The public address need not be verified; the primary one of the list is.
    assert.deepEqual(person.state.email, { address: 'octo@corp.example', isVerified: true, basis: 'asserted' })
  })

  test('vouches for no address that its list does not say is verified', async () => {
    for (const list of [undefined, [], 'nonsense', [{ email: 'x@corp.example', primary: true, verified: 'yes' }]]) {
      user = { ...OCTO, id: ++providers, email_verified: true }
      addresses = list
      const { intentId, token } = await go(await addGitHub(AutoLinkingOption.EMAIL, false))
      const { idpInformation } = await world.retrieve(intentId, token)
      assert.notEqual(idpInformation?.rawInformation?.email_verified, true)
    }
  })

  test('is told apart by the member that was named, and refused without it', async () => {
    const idpId = await addGeneric('login')
    const { intentId, token } = await go(idpId)
    assert.equal((await world.retrieve(intentId, token)).idpInformation?.userId, 'octo')
    for (const wrong of [{}, { login: '' }, { login: { a: 1 } }, { login: null }, [], 'text', null]) {
      user = wrong
      const failed = await go(idpId)
      assert.equal(failed.searchParams.get('error'), 'sign_in_failed')
      assert.deepEqual((await world.eventsOf(failed.intentId)).at(-1)?.data, { reason: 'information_invalid' })
    }
    user = OCTO
    status = 500
    assert.equal((await go(idpId)).searchParams.get('error'), 'temporarily_unavailable')
  })

  test('is known by its user endpoint, whatever ID token comes with the access token', async () => {
    const idpId = await addGeneric('login')
    const now = Math.floor(Date.now() / 1000)
    const claims = { sub: 'somebody-else', aud: 'client', iat: now, exp: now + 60 }
    const idTokens = [
      ...['', '/', '/realms/x'].map((path) => written({ ...claims, iss: `${origin}${path}` })),
      written({ ...claims, iss: origin, nonce: '' }),
      written({}),
      'no token',
      42,
    ]
    for (const idToken of idTokens) {
      tokens = { ...tokens, id_token: idToken }
      const { intentId, token, searchParams } = await go(idpId)
      assert.equal(searchParams.get('error'), null, String(idToken))
      const { idpInformation } = await world.retrieve(intentId, token)
      assert.equal(idpInformation?.userId, 'octo')
      assert.ok(idpInformation.access.case === 'oauth')
      assert.equal(idpInformation.access.value.idToken, undefined)
    }
  })

  test('may name itself, which proves nothing here', async () => {
    const { searchParams } = await go(await addGeneric('id'), { iss: 'https://github.example' })
    assert.equal(searchParams.get('error'), null)
  })
})
