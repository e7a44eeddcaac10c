/**
 * What strangers write into metadata documents and registrations: nothing of it is accepted, nothing reaches this machine,
 * and what is remembered about it stays small.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { keysFor } from '../../src/features/applications/agents/client-keys.ts'
import { nameOf } from '../../src/features/applications/agents/client-metadata.ts'
import {
  documentAt,
  isDocumentUrl,
  rememberedCharacters,
} from '../../src/features/applications/agents/document-clients.ts'
import { openGuardedFetch } from '../../src/outbound/fetch.ts'
import { allowAt, allowHere, CALLBACK, CLIENT, metadataOf, openWeb } from '../support/agents.ts'
import { openCanary } from '../support/canary.ts'
import { ask, authorizationUrl, CHALLENGE, isSignInPage } from '../support/openid-flow.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { MCP, resource, setResources } from '../support/resources.ts'

const REQUEST = { resource: MCP, scope: 'tools:read' }
const long = (length: number) => 'x'.repeat(length)

const BY_KEY = { token_endpoint_auth_method: 'private_key_jwt' }
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const PRIVATE = EC.privateKey.export({ format: 'jwk' })
const PUBLIC_EC = EC.publicKey.export({ format: 'jwk' })
const PUBLIC_RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
const SHORT = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })

/** Members that make metadata unusable, wherever they are written. */
const HOSTILE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'no redirect URIs': { redirect_uris: undefined },
  'an empty list of redirect URIs': { redirect_uris: [] },
  'redirect URIs that are a text': { redirect_uris: CALLBACK },
  'a redirect URI that is no text': { redirect_uris: [CALLBACK, 7] },
  'http on the internet': { redirect_uris: ['http://app.example/callback'] },
  'http on a private network': { redirect_uris: ['http://192.168.1.1/callback'] },
  'a script': { redirect_uris: ['javascript:alert(1)'] },
  'a document in the address': { redirect_uris: ['data:text/html,x'] },
  'a file': { redirect_uris: ['file:///etc/passwd'] },
  'a scheme without a domain': { redirect_uris: ['app:/callback'] },
  'a scheme of the browser': { redirect_uris: ['vbscript:x'] },
  'an intent of the system': { redirect_uris: ['intent://x#Intent;end'] },
  'a fragment': { redirect_uris: ['https://app.example/callback#a'] },
  'a wildcard in the host': { redirect_uris: ['https://*.example/callback'] },
  'a wildcard in the path': { redirect_uris: ['https://app.example/*'] },
  'a user name in the address': { redirect_uris: ['https://a:b@app.example/callback'] },
  'no host': { redirect_uris: ['https:///callback'] },
  'a relative address': { redirect_uris: ['/callback'] },
  'a very long address': { redirect_uris: [`https://app.example/${long(600)}`] },
  'very many addresses': { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://app.example/${n}`) },
  'one bad address among good ones': { redirect_uris: [CALLBACK, 'http://app.example/'] },
  'a secret': { client_secret: 'secret' },
  'a secret that does not expire': { client_secret_expires_at: 0 },
  'a signature with a secret': { token_endpoint_auth_method: 'client_secret_jwt' },
  'a certificate': { token_endpoint_auth_method: 'tls_client_auth' },
  'an unknown way to authenticate': { token_endpoint_auth_method: 'trust_me' },
  'keys to fetch': { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'http://127.0.0.1/keys' },
  'keys to fetch from an address of this machine': { ...BY_KEY, jwks_uri: 'https://127.0.0.1/keys' },
  'keys to fetch with a password': { ...BY_KEY, jwks_uri: 'https://a:b@app.example/keys' },
  'keys to fetch from a name without a domain': { ...BY_KEY, jwks_uri: 'https://localhost/keys' },
  'keys that are a text': { ...BY_KEY, jwks: 'keys' },
  'no keys at all': BY_KEY,
  'an empty list of keys': { ...BY_KEY, jwks: { keys: [] } },
  'a key that is none': { ...BY_KEY, jwks: { keys: [null] } },
  'a secret as a key': { ...BY_KEY, jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } },
  'a private key': { ...BY_KEY, jwks: { keys: [PRIVATE] } },
  'a key that is too short': { ...BY_KEY, jwks: { keys: [SHORT] } },
  'a key with a large exponent': { ...BY_KEY, jwks: { keys: [{ ...PUBLIC_RSA, e: PUBLIC_RSA.n }] } },
  'very many keys': { ...BY_KEY, jwks: { keys: Array.from({ length: 11 }, () => PUBLIC_EC) } },
  'keys in two places': { ...BY_KEY, jwks: { keys: [PUBLIC_EC] }, jwks_uri: 'https://app.example/keys' },
  'keys without need': { jwks: { keys: [PUBLIC_EC] } },
  'keys to fetch without need': { jwks_uri: 'http://127.0.0.1/keys' },
  'an address to call at a logout': { backchannel_logout_uri: 'http://169.254.169.254/' },
  'an address with other addresses': { sector_identifier_uri: 'http://127.0.0.1/' },
  'requests to fetch': { request_uris: ['http://127.0.0.1/'] },
  'a statement of somebody': { software_statement: 'a.b.c' },
  'only the implicit flow': { grant_types: ['implicit'], response_types: ['token'] },
  'only client credentials': { grant_types: ['client_credentials'] },
  'grant types that are a text': { grant_types: 'authorization_code' },
  'a response type of the implicit flow': { response_types: ['id_token token'] },
  'an unknown type of application': { application_type: 'service' },
  'a name that is no text': { client_name: { en: 'Agent' } },
  'a name that changes the direction of writing': { client_name: 'Agent \u202egro.elgoog' },
  'a name with an invisible character': { client_name: 'Goo\u200bgle' },
  'a name with a line break of its own': { client_name: 'Agent\u2028Verified' },
}

/** Documents that are wrong as a whole. */
const BROKEN: Readonly<Record<string, readonly [body: unknown, init?: ResponseInit]>> = {
  'not found': ['{}', { status: 404 }],
  'a redirect': ['', { status: 302, headers: { location: 'http://127.0.0.1/' } }],
  'a page': [metadataOf(CLIENT), { headers: { 'content-type': 'text/html' } }],
  'no type': [metadataOf(CLIENT), { headers: { 'content-type': '' } }],
  'not JSON': ['{'],
  'a list': [[metadataOf(CLIENT)]],
  nothing: ['null'],
  'a text': ['"client"'],
  'the client ID of another': [metadataOf('https://other.example/client.json')],
  'the client ID in another spelling': [metadataOf(`${CLIENT}/`)],
  'no client ID': [{ ...metadataOf(CLIENT), client_id: undefined }],
  'no name': [metadataOf(CLIENT, { client_name: undefined })],
  'a way to authenticate with a secret': [metadataOf(CLIENT, { token_endpoint_auth_method: 'client_secret_basic' })],
}

/** Client IDs that are none, and are never fetched. */
const ADDRESSES = [
  'http://agent.example/client.json',
  'https://agent.example',
  'https://agent.example/',
  'https://agent.example/client.json#a',
  'https://agent.example/client.json?a=b',
  'https://a@agent.example/client.json',
  'https://a:b@agent.example/client.json',
  'https://agent.example/a/../client.json',
  'https://agent.example/%2e%2e/client.json',
  'https://agent.example\\client.json',
  'https://AGENT.example/client.json',
  'https://agent.example:443/client.json',
  'https://127.0.0.1/client.json',
  'https://2130706433/client.json',
  'https://[::1]/client.json',
  'https://localhost/client.json',
  'https://agent.example/a b',
  `https://agent.example/${long(500)}`,
  'ftp://agent.example/client.json',
  'HTTPS://agent.example/client.json',
]

/** What names can be resolved to that strangers own. */
const INTERNAL = [
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  'fd00::1',
  'fe80::1',
]

const COUNT = 2 * Object.keys(HOSTILE).length + Object.keys(BROKEN).length + ADDRESSES.length + 4 * INTERNAL.length

suite(`hostile clients: ${COUNT} cases`, () => {
  const web = openWeb()
  let world: OpenIdWorld
  let number = 0

  before(async () => {
    world = await openOpenIdWorld({ fetchOutside: web.fetchOutside })
    const projectId = await world.addProject()
    await setResources(world, projectId, resource(MCP))
    await allowHere(world, {
      clientIdMetadataDocuments: { enabled: true },
      dynamicClientRegistration: { enabled: true, allowUnauthenticated: true, registrationsPerHour: 10_000 },
    })
    await allowAt(world, projectId, { clientIdMetadataDocuments: true, dynamicRegistration: true })
  })

  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  /** Whether a client gets as far as the sign-in page. */
  const isAccepted = async (clientId: string) => {
    const parameters = { ...REQUEST, redirect_uri: CALLBACK, code_challenge: CHALLENGE, code_challenge_method: 'S256' }
    const page = await world.browser().open(authorizationUrl(world, { clientId }, parameters))
    assert.ok(page.status < 500, page.text)
    return isSignInPage(page)
  }
  const register = async (body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await ask(`${world.url}/oauth/v2/register`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.ok(answer.status < 500, answer.text)
    return answer
  }

  test('a document as it should be is accepted, and so is a registration', async () => {
    web.publish(CLIENT, metadataOf(CLIENT))
    assert.equal(await isAccepted(CLIENT), true)
    assert.equal((await register(metadataOf(CLIENT))).status, 201)
  })

  for (const [name, members] of Object.entries(HOSTILE)) {
    test(`${name}: neither in a document nor in a registration`, async () => {
      const url = `https://agent.example/hostile-${++number}.json`
      web.publish(url, metadataOf(url, members))
      assert.equal(await isAccepted(url), false)
      const { status, body } = await register({ client_name: 'Agent', redirect_uris: [CALLBACK], ...members })
      assert.equal(status, 400)
      assert.match(body.error, /^invalid_(client_metadata|redirect_uri)$/)
    })
  }

  for (const [name, [body, init]] of Object.entries(BROKEN)) {
    test(`a document that is broken: ${name}`, async () => {
      const url = `https://agent.example/broken-${++number}.json`
      const text = JSON.stringify(body).replaceAll(CLIENT, url)
      web.publish(url, typeof body === 'string' ? body : text, init)
      assert.equal(await isAccepted(url), false)
    })
  }

  test('addresses that are none are not fetched', async () => {
    const before = web.fetched()
    for (const address of ADDRESSES) {
      assert.equal(isDocumentUrl(address), false, address)
      assert.equal(await isAccepted(address), false, address)
    }
    assert.equal(web.fetched(), before)
  })

  test('names in letters that look like others are not shown, only the host', async () => {
    const url = 'https://agent.example/looks-like.json'
    web.publish(url, metadataOf(url, { client_name: 'Gооgle' }))
    const found = await documentAt(world.app, url, () => true)
    assert.equal(typeof found === 'object' && nameOf(found, url), 'agent.example')
  })

  test('a body that is no object, or too long, is refused', async () => {
    for (const body of [null, 7, 'text', [], [metadataOf(CLIENT)]]) assert.equal((await register(body)).status, 400)
    assert.equal((await register({ ...metadataOf(CLIENT), more: long(20_000) })).status, 413)
  })

  for (const [allowsPrivate, where] of [
    [false, 'this machine or its network'],
    [true, 'them either where administrators may name such addresses'],
  ] as const) {
    test(`not a byte reaches ${where}`, async (t) => {
      const [canary, canary6] = [await openCanary(), await openCanary('::1')]
      t.after(() => [canary, canary6].map(({ close }) => close()))
      const names = new Map(INTERNAL.map((address, index) => [`internal-${index}-${allowsPrivate}.example`, address]))
      const resolve = (name: string, done: (error: null, found: { address: string; family: number }[]) => void) => {
        const address = names.get(name) ?? assert.fail(name)
        done(null, [{ address, family: address.includes(':') ? 6 : 4 }])
      }
      const fetchOutside = openGuardedFetch({ allowsPrivate, resolve: resolve as never })
      const app = Object.freeze({ ...world.app, fetchOutside }) as never
      for (const [name, address] of names) {
        const { port } = address === '::1' ? canary6 : canary
        const document = await documentAt(app, `https://${name}:${port}/client.json`, () => true)
        assert.equal(document, 'the metadata document cannot be fetched', address)
        const signature = { keyId: undefined, algorithm: 'ES256' }
        const keys = await keysFor(app, { uri: `https://${name}:${port}/keys` }, signature, () => true)
        assert.equal(keys, 'the key set cannot be fetched', address)
      }
      assert.deepEqual([canary.connections(), canary6.connections()], [0, 0])
    })
  }

  test('what cannot be read is asked for once a minute, and of many at once one asks', async () => {
    const url = 'https://agent.example/missing.json'
    const before = web.fetched()
    await Promise.all(Array.from({ length: 20 }, () => documentAt(world.app, url, () => true)))
    await documentAt(world.app, url, () => true)
    assert.equal(web.fetched(), before + 1)
  })

  test('100,000 addresses leave little behind', async () => {
    for (let start = 0; start < 100_000; start += 40) {
      const some = Array.from({ length: 40 }, (_, at) => `https://agent.example/many/${start + at}.json`)
      await Promise.all(some.map((url) => documentAt(world.app, url, () => true)))
    }
    assert.ok(rememberedCharacters(world.app) <= 8_000_000)
  })
})
