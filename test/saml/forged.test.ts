/**
 * Messages that no service provider sent, or not like this, in every place where one is read: none is followed, none is a
 * fault of the server, and none takes memory.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { selfSigned } from '../../src/crypto/certificate.ts'
import { findLogout } from '../../src/features/saml/index.ts'
import { engines } from '../support/engines.ts'
import { type Browser, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import {
  deflated,
  encoded,
  inflated,
  type MessageParts,
  messageOf,
  signedQuery,
  signedXml,
} from '../support/saml-messages.ts'
import { addProvider, formOf, type Provider, signOn } from '../support/saml-world.ts'
import { altered, type Target, unreadable, wrapped } from './forgeries.ts'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const FOREIGN = {
  key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  certificate: selfSigned({
    privateKey: pair.privateKey,
    commonName: 'other',
    serial: Buffer.alloc(16, 9),
    notBefore: Date.UTC(2020, 0),
    notAfter: Date.UTC(2049, 0),
  }),
}
const SUCCESS =
  '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"></samlp:StatusCode></samlp:Status>'
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'

for (const engine of engines.slice(0, 1)) {
  suite(`forged SAML messages on ${engine.name}`, () => {
    let world: OpenIdWorld
    let strict: Provider
    let lax: Provider
    let signedIn: Browser
    /** The index of a session that no forged message may end. */
    let index: string
    /** The request that waits for an answer of `strict`. */
    let asked: string
    let leading: Browser

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
      strict = await addProvider(world)
      lax = await addProvider(world, { parts: { signsRequests: false } })
      signedIn = world.browser()
      const page = await signOn(world, strict, signedIn, 'ada')
      const response = Buffer.from(formOf(page).fields.SAMLResponse ?? '', 'base64').toString()
      index = /SessionIndex="([^"]*)"/.exec(response)?.[1] ?? assert.fail()
      leading = world.browser()
      await signOn(world, strict, leading, 'ada')
      const told = await leading.send(await leading.open(`${world.url}/ui/logout`), {}, '/ui/logout')
      const request = inflated(new URL(told.url).searchParams.get('SAMLRequest') ?? '')
      asked = /ID="([^"]*)"/.exec(request)?.[1] ?? assert.fail()
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const sso = () => `${world.url}/saml/v2/SSO`
    const slo = () => `${world.url}/saml/v2/SLO`
    const message = (parts: Partial<MessageParts> = {}) =>
      messageOf({ issuer: strict.entityId, destination: sso(), ...parts })
    const post = (fields: Readonly<Record<string, string>>, url: string) =>
      fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
    const get = (search: string, url: string) => fetch(`${url}?${search}`, { redirect: 'manual' })
    const EVIL_ACS = 'AssertionConsumerServiceURL="https://evil.example/acs"'

    interface Place {
      readonly parameter: 'SAMLRequest' | 'SAMLResponse'
      url(): string
      target(): Target
      /** Whether the message was refused, or had no effect. */
      isRefused(answer: Response): void | Promise<void>
    }
    const isError = (answer: Response) => {
      assert.ok([400, 404, 413, 415].includes(answer.status), `${answer.status} ${answer.headers.get('location')}`)
      assert.equal(answer.headers.get('location'), null)
    }
    const places: Readonly<Record<string, Place>> = {
      'a request to sign in': {
        parameter: 'SAMLRequest',
        url: sso,
        target: () => ({
          good: { name: 'AuthnRequest', id: `_${randomUUID()}`, issuer: strict.entityId, destination: sso() },
          evil: { issuer: strict.entityId, destination: sso(), more: EVIL_ACS },
        }),
        isRefused: isError,
      },
      'a request to log out': {
        parameter: 'SAMLRequest',
        url: slo,
        target: () => {
          const name = '<saml:NameID>ada</saml:NameID>'
          const inside = `${name}<samlp:SessionIndex>${index}</samlp:SessionIndex>`
          const both = { issuer: strict.entityId, destination: slo() }
          return {
            good: { ...both, name: 'LogoutRequest', id: `_${randomUUID()}`, inside: name },
            evil: { ...both, inside },
          }
        },
        isRefused: isError,
      },
      'the answer to a logout': {
        parameter: 'SAMLResponse',
        url: slo,
        target: () => {
          const both = { issuer: strict.entityId, destination: slo(), more: `InResponseTo="${asked}"`, inside: SUCCESS }
          return { good: { ...both, name: 'LogoutResponse', id: `_${randomUUID()}` }, evil: both }
        },
        // Where the request can be recognized, the browser continues as if there were no answer.
        isRefused: async (answer) => {
          if (answer.status !== 303) return isError(answer)
          assert.match(answer.headers.get('location') ?? '', /^\/saml\/v2\/logout\/[0-9a-f]{40}$/)
          const logout = await findLogout(world.app, asked.slice(1, 41))
          assert.deepEqual(
            logout?.state.steps.map(({ isSuccess }) => isSuccess),
            [undefined],
          )
        },
      },
    }

    for (const [where, { parameter, url, target, isRefused }] of Object.entries(places)) {
      const send = async (value: string) => {
        const answer = await post({ [parameter]: value }, url())
        await isRefused(answer)
        assert.ok(!(await answer.text()).includes('root:'))
      }
      const rows = () => {
        const one = target()
        const trick = { ...wrapped(one), ...altered(one, FOREIGN) }
        return Object.fromEntries(Object.entries(trick).map(([what, xml]) => [what, encoded(xml)]))
      }
      // The names are known before there is a server.
      const stand: Target = {
        good: { name: 'AuthnRequest', id: '_1', issuer: 'https://a.example', destination: '' },
        evil: { issuer: '', destination: '' },
      }
      for (const what of [...Object.keys(wrapped(stand)), ...Object.keys(altered(stand, FOREIGN))]) {
        test(`are refused as ${where}: ${what}`, async () => send(rows()[what] ?? assert.fail()))
      }
      for (const what of Object.keys(unreadable(''))) {
        test(`are refused as ${where}: ${what}`, async () => send(unreadable(messageOf(target().good))[what] ?? ''))
      }

      const query = (parts: Parameters<typeof signedQuery>[1] = {}) =>
        signedQuery(messageOf(target().good), { name: parameter, ...parts })
      const inAddress: Readonly<Record<string, () => string>> = {
        nothing: () => '',
        'no signature': () => `${parameter}=${deflated(messageOf(target().good))}`,
        'the signature of another key': () => query({ key: FOREIGN.key }),
        'half a signature': () => query().replace(/&Signature=.*$/, ''),
        'a signature without its algorithm': () => query().replace(/&SigAlg=[^&]*/, ''),
        'RSA with SHA-1': () => query({ algorithm: SHA1 }),
        'an algorithm that does not exist': () => query({ algorithm: 'urn:none' }),
        'the name of a stronger algorithm': () => query().replace('rsa-sha256', 'rsa-sha512'),
        'another state than was signed': () => query().replace('RelayState=state', 'RelayState=other'),
        'the state taken away': () => query().replace('&RelayState=state', ''),
        'a parameter twice': () => `${query()}&${parameter}=x`,
        'a parameter twice, escaped': () => `${parameter.replace('R', '%52')}=x&${query()}`,
        'a request and a response': () =>
          `${query()}&${parameter === 'SAMLRequest' ? 'SAMLResponse' : 'SAMLRequest'}=x`,
        'the signature in the message': () => `${parameter}=${deflated(signedXml(messageOf(target().good)))}`,
        'a bomb': () => `${parameter}=${deflated('<a>'.repeat(1_000_000))}`,
      }
      for (const [what, search] of Object.entries(inAddress)) {
        test(`are refused as ${where} in an address: ${what}`, async () => isRefused(await get(search(), url())))
      }
    }

    const special: Readonly<Record<string, () => Promise<Response>>> = {
      'an issuer with a comment in it, where nothing is signed': () =>
        post({ SAMLRequest: encoded(message({ issuer: `${lax.entityId}<!-- -->.evil` })) }, sso()),
      'a wrong signature where none is needed': () =>
        post(
          { SAMLRequest: encoded(signedXml(message({ issuer: lax.entityId }), { privateKey: FOREIGN.key })) },
          sso(),
        ),
      'another address for the response, unsigned': () =>
        post({ SAMLRequest: encoded(message({ issuer: lax.entityId, more: EVIL_ACS })) }, sso()),
      'another address for the response, signed': () =>
        post({ SAMLRequest: encoded(signedXml(message({ more: EVIL_ACS }))) }, sso()),
      'an address for the response that only begins alike': () =>
        post(
          {
            SAMLRequest: encoded(
              signedXml(message({ more: `AssertionConsumerServiceURL="${strict.entityId}/acs.evil.example"` })),
            ),
          },
          sso(),
        ),
      'an index that is not there': () =>
        post({ SAMLRequest: encoded(signedXml(message({ more: 'AssertionConsumerServiceIndex="7"' }))) }, sso()),
      'a binding that is not there': () =>
        post(
          {
            SAMLRequest: encoded(
              signedXml(message({ more: 'ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"' })),
            ),
          },
          sso(),
        ),
      'conditions that do not hold': () =>
        post(
          {
            SAMLRequest: encoded(
              signedXml(message({ inside: '<saml:Conditions NotOnOrAfter="2020-01-01T00:00:00Z"/>' })),
            ),
          },
          sso(),
        ),
      'a message that names the user': () =>
        post(
          {
            SAMLRequest: encoded(
              signedXml(message({ inside: '<saml:Subject><saml:NameID>ada</saml:NameID></saml:Subject>' })),
            ),
          },
          sso(),
        ),
      'no ID': () => post({ SAMLRequest: encoded(message({ issuer: lax.entityId, id: '' })) }, sso()),
      'a state that is too long': () =>
        post({ SAMLRequest: encoded(signedXml(message())), RelayState: 'x'.repeat(2000) }, sso()),
      'a form that is too long': () => post({ SAMLRequest: 'x'.repeat(50_000) }, sso()),
      'a sign-in at the address of logouts': () => post({ SAMLRequest: encoded(signedXml(message())) }, slo()),
      'a logout at the address of sign-ins': () =>
        post({ SAMLRequest: encoded(signedXml(message({ name: 'LogoutRequest' }))) }, sso()),
      'an answer at the address of sign-ins': () =>
        post({ SAMLResponse: encoded(signedXml(message({ name: 'LogoutResponse' }))) }, sso()),
      'a request to log out that has ended': () => {
        const parts = {
          name: 'LogoutRequest',
          destination: slo(),
          more: 'NotOnOrAfter="2020-01-01T00:00:00Z"',
        } as const
        return get(signedQuery(message(parts)), slo())
      },
      'an answer to a request that we did not send': () => {
        const more = `InResponseTo="_${'0'.repeat(40)}.${'0'.repeat(20)}"`
        const xml = message({ name: 'LogoutResponse', destination: slo(), more, inside: SUCCESS })
        return get(signedQuery(xml, { name: 'SAMLResponse' }), slo())
      },
      'an answer to a name of JavaScript': () => {
        const xml = message({ name: 'LogoutResponse', destination: slo(), more: 'InResponseTo="__proto__"' })
        return get(signedQuery(xml, { name: 'SAMLResponse' }), slo())
      },
    }
    for (const [what, send] of Object.entries(special)) {
      test(`are refused: ${what}`, async () => isError(await send()))
    }

    test('are refused: a message that was sent before', async () => {
      const xml = signedXml(message())
      assert.equal((await post({ SAMLRequest: encoded(xml) }, sso())).status, 303)
      assert.equal((await post({ SAMLRequest: encoded(xml) }, sso())).status, 400)
      const same = /ID="([^"]*)"/.exec(xml)?.[1] ?? ''
      assert.equal((await get(signedQuery(message({ id: same })), sso())).status, 400)
    })

    test('are refused: a request that came with another browser, or was answered', async () => {
      const started = (await post({ SAMLRequest: encoded(signedXml(message())) }, sso())).headers.get('location') ?? ''
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
      const inside = `<saml:NameID>ada</saml:NameID><samlp:SessionIndex>${index}</samlp:SessionIndex>`
      const logout = message({ issuer: lax.entityId, name: 'LogoutRequest', destination: slo(), inside })
      assert.equal((await get(signedQuery(logout), slo())).status, 303)
      assert.doesNotMatch((await signedIn.open(await strict.signOnUrl())).url, /\/ui\/login/)
    })

    test('take no memory, however many bombs there are', async () => {
      const bomb = deflateRawSync(Buffer.alloc(8_000_000, 32)).toString('base64')
      const before = process.memoryUsage().rss
      const sent = Array.from({ length: 200 }, () => post({ SAMLRequest: bomb }, sso()))
      for (const answer of await Promise.all(sent)) assert.equal(answer.status, 400)
      // All of them unpacked would be 1.6 GB.
      assert.ok(process.memoryUsage().rss - before < 400_000_000)
    })

    test('are beside messages that are followed, and had no effect on what they were about', async () => {
      for (const answer of [
        await post({ SAMLRequest: encoded(signedXml(message())) }, sso()),
        await get(signedQuery(message()), sso()),
        await post({ SAMLRequest: encoded(message({ issuer: lax.entityId })) }, sso()),
      ]) {
        assert.equal(answer.status, 303)
        assert.match(answer.headers.get('location') ?? '', /^\/saml\/v2\/continue\//)
      }
      const { good } = places['a request to log out']?.target() ?? assert.fail()
      assert.equal((await get(signedQuery(messageOf(good)), slo())).status, 303)
      assert.doesNotMatch((await signedIn.open(await strict.signOnUrl())).url, /\/ui\/login/)
      // The right answer still counts: everybody followed.
      const said = places['the answer to a logout']?.target().good ?? assert.fail()
      const done = await leading.open(`${slo()}?${signedQuery(messageOf(said), { name: 'SAMLResponse' })}`)
      assert.equal(done.url, `${world.url}/ui/logout/done`)
    })
  })
}
