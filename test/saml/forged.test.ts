/** Messages that no service provider sent, or not like this: none is followed, and none is a fault of the server. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { engines } from '../support/engines.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { addProvider, type Provider, SP_KEY, signOn } from '../support/saml-world.ts'

const SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const FOREIGN = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

interface Parts {
  readonly issuer?: string
  readonly destination?: string
  readonly at?: number
  readonly id?: string
  readonly version?: string
  readonly more?: string
  readonly inside?: string
  readonly name?: string
}

for (const engine of engines.slice(0, 1)) {
  suite(`forged SAML messages on ${engine.name}`, () => {
    let world: OpenIdWorld
    let strict: Provider
    let lax: Provider

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
      strict = await addProvider(world)
      lax = await addProvider(world, { parts: { signsRequests: false } })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const message = (parts: Parts = {}) => {
      const { issuer = strict.entityId, id = `_${randomUUID()}`, version = '2.0', name = 'AuthnRequest' } = parts
      const destination = parts.destination ?? `${world.url}/saml/v2/SSO`
      const at = new Date(parts.at ?? Date.now()).toISOString()
      return `<samlp:${name} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="${version}" IssueInstant="${at}" Destination="${destination}" ${parts.more ?? ''}><saml:Issuer>${issuer}</saml:Issuer>${parts.inside ?? ''}</samlp:${name}>`
    }
    const signed = (xml: string, privateKey = SP_KEY) => {
      const signer = new SignedXml({ privateKey, signatureAlgorithm: SHA256, canonicalizationAlgorithm: EXCLUSIVE })
      signer.addReference({
        xpath: '/*',
        digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
        transforms: [ENVELOPED, EXCLUSIVE],
      })
      signer.computeSignature(xml, { location: { reference: "//*[local-name(.)='Issuer']", action: 'after' } })
      return signer.getSignedXml()
    }
    const form = (xml: string, more: Record<string, string> = {}) =>
      new URLSearchParams({ SAMLRequest: Buffer.from(xml).toString('base64'), ...more })
    const post = (xml: string, more = {}, path = '/saml/v2/SSO') =>
      fetch(`${world.url}${path}`, { method: 'POST', body: form(xml, more), redirect: 'manual' })
    const query = (xml: string, { key = SP_KEY, algorithm = SHA256, relayState = 'state' } = {}) => {
      const text = `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}&RelayState=${relayState}&SigAlg=${encodeURIComponent(algorithm)}`
      return `${text}&Signature=${encodeURIComponent(sign('sha256', Buffer.from(text), key).toString('base64'))}`
    }
    const get = (search: string, path = '/saml/v2/SSO') =>
      fetch(`${world.url}${path}?${search}`, { redirect: 'manual' })
    const evilAcs = 'AssertionConsumerServiceURL="https://evil.example/acs"'

    test('are beside messages that are followed', async () => {
      for (const answer of [
        await post(signed(message())),
        await get(query(message())),
        await post(message({ issuer: lax.entityId })),
      ]) {
        assert.equal(answer.status, 303)
        assert.match(answer.headers.get('location') ?? '', /^\/saml\/v2\/continue\//)
      }
    })

    const forged: Readonly<Record<string, () => Promise<Response>>> = {
      nothing: () => post(''),
      'no message at all': () => get(''),
      'no XML': () => post('hello'),
      'not base64': () =>
        fetch(`${world.url}/saml/v2/SSO`, {
          method: 'POST',
          body: new URLSearchParams({ SAMLRequest: '%%%' }),
          redirect: 'manual',
        }),
      'a bomb in an address': () =>
        get(`SAMLRequest=${encodeURIComponent(deflateRawSync(Buffer.alloc(5_000_000, 32)).toString('base64'))}`),
      'a bomb in a form': () =>
        fetch(`${world.url}/saml/v2/SSO`, {
          method: 'POST',
          body: new URLSearchParams({ SAMLRequest: deflateRawSync(Buffer.alloc(5_000_000, 32)).toString('base64') }),
          redirect: 'manual',
        }),
      'a form that is too long': () => post('x'.repeat(50_000)),
      'an entity that reads a file': () =>
        post(`<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${message({ issuer: '&f;' })}`),
      'entities in entities': () =>
        post(`<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${message({ issuer: '&b;' })}`),
      'an unknown issuer': () => post(signed(message({ issuer: 'https://unknown.example' }))),
      'no issuer': () => post(message({ issuer: '' })),
      'an issuer with a comment in it': () => post(message({ issuer: `${lax.entityId}<!-- -->.evil` })),
      'a signature that is missing in a form': () => post(message()),
      'a signature that is missing in an address': () =>
        get(`SAMLRequest=${encodeURIComponent(deflateRawSync(message()).toString('base64'))}`),
      'a signature of another key in a form': () => post(signed(message(), FOREIGN)),
      'a signature of another key in an address': () => get(query(message(), { key: FOREIGN })),
      'a wrong signature where none is needed': () => post(signed(message({ issuer: lax.entityId }), FOREIGN)),
      'a signature of one service provider on the message of another': () =>
        post(signed(message()).replace(strict.entityId, lax.entityId)),
      'half a signature': () => get(query(message()).replace(/&Signature=.*$/, '')),
      'RSA with SHA-1 in an address': () =>
        get(query(message(), { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' })),
      'another state than was signed': () => get(query(message()).replace('RelayState=state', 'RelayState=other')),
      'a parameter twice': () => get(`${query(message())}&SAMLRequest=x`),
      'a parameter twice, escaped': () => get(`SAML%52equest=x&${query(message())}`),
      'a signed message inside of another': () => post(message({ inside: signed(message()), more: evilAcs })),
      'a signature on something inside': () => {
        const good = signed(message({ id: '_x' }))
        const signature = /<Signature .*<\/Signature>/s.exec(good)?.[0] ?? ''
        return post(
          message({
            inside: `${signature}<samlp:Extensions>${good.replace(signature, '')}</samlp:Extensions>`,
            more: evilAcs,
          }),
        )
      },
      'another address for the response, unsigned': () => post(message({ issuer: lax.entityId, more: evilAcs })),
      'another address for the response, signed': () => post(signed(message({ more: evilAcs }))),
      'an address for the response that only begins alike': () =>
        post(signed(message({ more: `AssertionConsumerServiceURL="${strict.entityId}/acs.evil.example"` }))),
      'an index that is not there': () => post(signed(message({ more: 'AssertionConsumerServiceIndex="7"' }))),
      'a binding that is not there': () =>
        post(signed(message({ more: 'ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"' }))),
      'another destination': () => post(signed(message({ destination: 'https://other.example/saml/v2/SSO' }))),
      'an old message': () => post(signed(message({ at: Date.now() - 3_600_000 }))),
      'a message from the future': () => post(signed(message({ at: Date.now() + 3_600_000 }))),
      'a time that is none': () => post(signed(message()).replace(/IssueInstant="[^"]*"/, 'IssueInstant="now"')),
      'conditions that do not hold': () =>
        post(signed(message({ inside: '<saml:Conditions NotOnOrAfter="2020-01-01T00:00:00Z"/>' }))),
      'another version': () => post(signed(message({ version: '1.1' }))),
      'no ID': () => post(message({ issuer: lax.entityId, id: '' })),
      'another message': () => post(signed(message({ name: 'LogoutRequest' }))),
      'a message that names the user': () =>
        post(signed(message({ inside: '<saml:Subject><saml:NameID>ada</saml:NameID></saml:Subject>' }))),
      'a state that is too long': () => post(signed(message()), { RelayState: 'x'.repeat(2000) }),
      'a request to log out that is not signed': () =>
        post(message({ name: 'LogoutRequest', destination: `${world.url}/saml/v2/SLO` }), {}, '/saml/v2/SLO'),
      'a request to log out by another key': () =>
        get(
          query(message({ name: 'LogoutRequest', destination: `${world.url}/saml/v2/SLO` }), { key: FOREIGN }),
          '/saml/v2/SLO',
        ),
      'a sign-in for the endpoint of logouts': () => post(signed(message()), {}, '/saml/v2/SLO'),
    }

    for (const [what, send] of Object.entries(forged)) {
      test(`are refused: ${what}`, async () => {
        const answer = await send()
        assert.ok([400, 404, 413, 415].includes(answer.status), `${answer.status} ${answer.headers.get('location')}`)
        assert.equal(answer.headers.get('location'), null)
        assert.ok(!(await answer.text()).includes('root:'))
      })
    }

    test('are refused: a message that was sent before', async () => {
      const xml = signed(message())
      assert.equal((await post(xml)).status, 303)
      assert.equal((await post(xml)).status, 400)
      const same = /ID="([^"]*)"/.exec(xml)?.[1] ?? ''
      assert.equal((await get(query(message({ id: same })))).status, 400)
    })

    test('are refused: a request that came with another browser, or was answered', async () => {
      const started = (await post(signed(message()))).headers.get('location') ?? ''
      assert.equal((await fetch(`${world.url}${started}`, { redirect: 'manual' })).status, 400)
      const id = started.split('/').at(-1)
      const own = await fetch(`${world.url}${started}`, {
        redirect: 'manual',
        headers: { cookie: `signet_saml=${id}` },
      })
      assert.equal(own.status, 303)
      assert.equal((await fetch(`${world.url}/saml/v2/continue/..%2f`, { redirect: 'manual' })).status, 400)
    })

    test('end no session of another service provider', async () => {
      const browser = world.browser()
      const page = await signOn(world, lax, browser, 'ada')
      const xml = Buffer.from(/name="SAMLResponse" value="([^"]*)"/.exec(page.text)?.[1] ?? '', 'base64').toString()
      const index = /SessionIndex="([^"]*)"/.exec(xml)?.[1] ?? ''
      const inside = `<saml:NameID>ada</saml:NameID><samlp:SessionIndex>${index}</samlp:SessionIndex>`
      const logout = message({ name: 'LogoutRequest', destination: `${world.url}/saml/v2/SLO`, inside })
      assert.equal((await get(query(logout), '/saml/v2/SLO')).status, 303)
      assert.doesNotMatch((await browser.open(await lax.signOnUrl())).url, /\/ui\/login/)
    })
  })
}
