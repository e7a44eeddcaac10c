/** Responses that no identity provider sent, or not like this, or not to us: none signs in, and none is a fault of the server. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../support/engines.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import {
  assertionOf,
  certificateFor,
  FOREIGN_KEY,
  type ResponseParts,
  responseOf,
  signedAssertion,
  signedResponse,
  UPSTREAM_KEY,
  upstreamMetadata,
  usualResponse,
} from '../support/response-forger.ts'
import { newKey, signedXml } from '../support/saml-signer.ts'

const ENTITY = 'https://upstream.example'
const OTHER = 'https://other.example'
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const SHA512 = 'http://www.w3.org/2001/04/xmlenc#sha512'
const URLS = { successUrl: 'http://localhost/in', failureUrl: 'http://localhost/no' }
const HOUR = 3_600_000

const otherKey = newKey()
const SIGNATURE = /<Signature .*?<\/Signature>/s
const signatureIn = (xml: string) => SIGNATURE.exec(xml)?.[0] ?? assert.fail('it is not signed')
const without = (xml: string) => xml.replace(SIGNATURE, '')
/** The signature with something at its end. */
const holding = (signature: string, content: string) => signature.replace('</Signature>', `${content}</Signature>`)
const object = (content: string) => `<Object xmlns="${DSIG}">${content}</Object>`

interface Started {
  readonly relayState: string
  /** What a good response says. */
  readonly good: ResponseParts
}

type Forge = (good: ResponseParts, started: Started) => string

/** The eight ways to wrap, by the names that they have in tools: an assertion about another user beside the signed one. */
const WRAPPED: Readonly<Record<string, Forge>> = {
  'wrapped 1: the signed response inside of the signature of another': (good) => {
    const signed = signedResponse(good)
    const evil = responseOf(good, assertionOf({ ...good, nameId: 'admin' }))
    return evil.replace('<samlp:Status>', `${holding(signatureIn(signed), object(without(signed)))}<samlp:Status>`)
  },
  'wrapped 2: the signed response beside its signature': (good) => {
    const signed = signedResponse(good)
    const evil = responseOf(good, assertionOf({ ...good, nameId: 'admin' }))
    return evil.replace('<samlp:Status>', `${without(signed)}${signatureIn(signed)}<samlp:Status>`)
  },
  'wrapped 3: an assertion before the signed one': (good) =>
    responseOf(good, assertionOf({ ...good, nameId: 'admin' }), signedAssertion(good)),
  'wrapped 4: the signed assertion inside of another': (good) => {
    const evil = assertionOf({ ...good, nameId: 'admin' })
    return responseOf(good, evil.replace('</saml:Assertion>', `${signedAssertion(good)}</saml:Assertion>`))
  },
  'wrapped 5: the signature in another assertion, the signed one after it': (good) => {
    const signed = signedAssertion(good)
    const evil = assertionOf({ ...good, nameId: 'admin' }).replace(
      '<saml:Subject>',
      `${signatureIn(signed)}<saml:Subject>`,
    )
    return responseOf(good, evil, without(signed))
  },
  'wrapped 6: the signed assertion inside of the signature of another': (good) => {
    const signed = signedAssertion(good)
    const signature = holding(signatureIn(signed), without(signed))
    return responseOf(
      good,
      assertionOf({ ...good, nameId: 'admin' }).replace('<saml:Subject>', `${signature}<saml:Subject>`),
    )
  },
  'wrapped 7: an assertion in extensions': (good) => {
    const evil = assertionOf({ ...good, nameId: 'admin' })
    return responseOf({ ...good, inside: `<samlp:Extensions>${evil}</samlp:Extensions>` }, signedAssertion(good))
  },
  'wrapped 8: the signed assertion in an object of the signature of another': (good) => {
    const signed = signedAssertion(good)
    const signature = holding(signatureIn(signed), object(without(signed)))
    return responseOf(
      good,
      assertionOf({ ...good, nameId: 'admin' }).replace('<saml:Subject>', `${signature}<saml:Subject>`),
    )
  },
  'two assertions with the ID that is signed': (good) => {
    const assertionId = '_same'
    return responseOf(
      good,
      assertionOf({ ...good, assertionId, nameId: 'admin' }),
      signedAssertion({ ...good, assertionId }),
    )
  },
  'an ID that the response has, too': (good) => usualResponse({ ...good, assertionId: '_same', responseId: '_same' }),
}

const SIGNATURES: Readonly<Record<string, Forge>> = {
  'no signature': (good) => responseOf(good, assertionOf(good)),
  'a signature that was taken out': (good) => without(usualResponse(good)),
  'an assertion of another that stands in a signed response': (good) =>
    signedResponse(good).replace(/<saml:Assertion .*<\/saml:Assertion>/s, assertionOf({ ...good, nameId: 'admin' })),
  'another name in the signed assertion': (good) => usualResponse(good).replace('>ada<', '>admin<'),
  'a signature of another key': (good) => usualResponse(good, { privateKey: FOREIGN_KEY }),
  'a response that another key signed': (good) => signedResponse(good, { privateKey: FOREIGN_KEY }),
  'a response of another key around an assertion of the right one': (good) =>
    signedXml(usualResponse(good), { privateKey: FOREIGN_KEY }),
  'the key of another provider': (good) => usualResponse(good, { privateKey: otherKey.pem }),
  'the key of another provider under its name': (good) =>
    usualResponse({ ...good, issuer: OTHER }, { privateKey: otherKey.pem }),
  'RSA with SHA-1': (good) => usualResponse(good, { algorithm: `${DSIG}rsa-sha1` }),
  'a digest with SHA-1': (good) => usualResponse(good, { digest: `${DSIG}sha1` }),
  'a shared secret instead of a key': (good) => usualResponse(good).replace(`${MORE}rsa-sha256`, `${MORE}hmac-sha256`),
  'an algorithm that is none': (good) => usualResponse(good).replace(`${MORE}rsa-sha256`, 'none'),
  'a canonicalization with comments': (good) =>
    usualResponse(good).replaceAll('xml-exc-c14n#"', 'xml-exc-c14n#WithComments"'),
  'a transform that drops things': (good) =>
    usualResponse(good).replace(`${DSIG}enveloped-signature`, 'http://www.w3.org/TR/1999/REC-xslt-19991116'),
  'a signature about nothing': (good) => usualResponse(good).replace(/<Reference .*<\/Reference>/s, ''),
  'a signature about the whole document': (good) => usualResponse(good).replace(/URI="[^"]*"/, 'URI=""'),
  'a second signature in extensions': (good) =>
    usualResponse({ ...good, inside: `<samlp:Extensions>${signatureIn(usualResponse(good))}</samlp:Extensions>` }),
  'an empty signature': (good) => usualResponse(good).replace(/<SignatureValue>[^<]*/, '<SignatureValue>'),
  'the signature of another assertion': (good) => {
    const assertion = assertionOf({ ...good, nameId: 'admin' })
    return responseOf(good, assertion.replace('<saml:Subject>', `${signatureIn(signedAssertion(good))}<saml:Subject>`))
  },
}

const TEXTS: Readonly<Record<string, Forge>> = {
  nothing: () => '',
  'no XML': () => 'hello',
  'a comment in the name': (good) =>
    usualResponse({ ...good, nameId: 'ada.evil' }).replace('ada.evil', 'ada<!-- -->.evil'),
  'a comment somewhere': (good) => usualResponse(good).replace('<samlp:Status>', '<!-- --><samlp:Status>'),
  'a processing instruction in the name': (good) => usualResponse(good).replace('>ada<', '>ad<?x?>a<'),
  'a section in the name': (good) => usualResponse(good).replace('>ada<', '><![CDATA[ada]]><'),
  'an entity that reads a file': (good) =>
    `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${usualResponse(good).replace('>ada<', '>&f;<')}`,
  'an entity that asks a server': (good) => `<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">${usualResponse(good)}`,
  'entities in entities': (good) =>
    `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefghi'.replace(/./g, (name, at: number) => `<!ENTITY ${name} "${`&${'abcdefgh'.charAt(at)};`.repeat(10)}">`)}]>${usualResponse(good).replace('>ada<', '>&i;<')}`,
  'elements in elements in elements': (good) => responseOf(good, '<a>'.repeat(10_000) + '</a>'.repeat(10_000)),
  'a hundred thousand elements': (good) => responseOf(good, '<a/>'.repeat(40_000)),
  'a response of megabytes': (good) => responseOf(good, 'x'.repeat(300_000)),
  'an assertion in another namespace': (good) =>
    usualResponse(good).replaceAll('SAML:2.0:assertion', 'SAML:1.0:assertion'),
  'another prefix for what is not signed': (good) =>
    usualResponse(good).replace('<samlp:Response ', '<evil:Response ').replace('</samlp:Response>', '</evil:Response>'),
  'a namespace that is declared anew in the name': (good) =>
    usualResponse(good).replace('<saml:NameID ', '<saml:NameID xmlns:saml="urn:evil" '),
  'an assertion without a response': (good) => signedAssertion(good),
  'an assertion that is encrypted': (good) =>
    responseOf(good, `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>`),
  'another message': (good) => usualResponse(good).replaceAll('samlp:Response', 'samlp:LogoutResponse'),
}

const FACTS: Readonly<Record<string, Forge>> = {
  'another issuer': (good) => usualResponse({ ...good, issuer: OTHER }),
  'another issuer of the assertion': (good) => usualResponse({ ...good, issuer: OTHER, responseIssuer: ENTITY }),
  'no issuer': (good) => usualResponse(good).replace(/<saml:Issuer>[^<]*<\/saml:Issuer>/, ''),
  'another issuer of the response': (good) => usualResponse({ ...good, responseIssuer: OTHER }),
  'an audience that is not us': (good) => usualResponse({ ...good, audience: 'https://elsewhere.example' }),
  'an audience that only begins alike': (good) => usualResponse({ ...good, audience: `${good.audience}/more` }),
  'no audience': (good) => usualResponse({ ...good, audiences: '' }),
  'two restrictions, one of which is not for us': (good) =>
    usualResponse({
      ...good,
      moreConditions: '<saml:AudienceRestriction><saml:Audience>x</saml:Audience></saml:AudienceRestriction>',
    }),
  'no conditions': (good) => usualResponse({ ...good, conditions: '' }),
  'a condition that nobody knows': (good) => usualResponse({ ...good, moreConditions: '<saml:Condition/>' }),
  'another recipient': (good) => usualResponse({ ...good, recipient: 'https://elsewhere.example/acs' }),
  'another destination': (good) => usualResponse({ ...good, destination: 'https://elsewhere.example/acs' }),
  'a response to nothing': (good) => usualResponse({ ...good, inResponseTo: null, confirmationInResponseTo: null }),
  'a response to another request': (good) =>
    usualResponse({ ...good, inResponseTo: '_other', confirmationInResponseTo: '_other' }),
  'an assertion for another request': (good) => usualResponse({ ...good, confirmationInResponseTo: '_other' }),
  'an assertion for no request': (good) => usualResponse({ ...good, confirmationInResponseTo: null }),
  'a confirmation that has ended': (good) => usualResponse({ ...good, confirmationUntil: Date.now() - HOUR }),
  'a confirmation without an end': (good) => usualResponse({ ...good, confirmationUntil: null }),
  'a confirmation of another method': (good) =>
    usualResponse({ ...good, method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }),
  'no confirmation': (good) => usualResponse({ ...good, confirmation: '' }),
  'an assertion that has ended': (good) => usualResponse({ ...good, notOnOrAfter: Date.now() - HOUR }),
  'an assertion from the future': (good) => usualResponse({ ...good, notBefore: Date.now() + HOUR }),
  'a time that is none': (good) => usualResponse({ ...good, conditions: `<saml:Conditions NotOnOrAfter="later"/>` }),
  'a session that has ended': (good) =>
    usualResponse({ ...good, statements: `<saml:AuthnStatement SessionNotOnOrAfter="2020-01-01T00:00:00Z"/>` }),
  'no sign-in': (good) => usualResponse({ ...good, statements: '' }),
  'a status that is no success': (good) => usualResponse({ ...good, status: 'Responder' }),
  'no status': (good) => usualResponse(good).replace(/<samlp:Status>.*<\/samlp:Status>/s, ''),
  'another version': (good) => usualResponse({ ...good, version: '1.1' }),
  'no subject': (good) => usualResponse({ ...good, subject: '' }),
  'an empty name': (good) => usualResponse({ ...good, nameId: ' ' }),
  'a name that is too long': (good) => usualResponse({ ...good, nameId: 'x'.repeat(300) }),
  'a name with elements in it': (good) => usualResponse({ ...good, nameId: 'ada<saml:X/>' }),
}

for (const engine of engines) {
  suite(`forged SAML responses on ${engine.name}`, () => {
    let world: OpenIdWorld
    let idpId: string
    let otherId: string
    let tenantId: string

    before(async () => {
      world = await openOpenIdWorld({ engine })
      const given = (entityId: string, certificate?: string) => ({
        name: entityId,
        metadata: { case: 'metadataXml', value: Buffer.from(upstreamMetadata(entityId, certificate)) } as const,
      })
      const add = (given: object) => world.call(AdminService.method.addSAMLProvider, given as never, world.owner)
      idpId = (await add(given(ENTITY))).id
      otherId = (await add(given(OTHER, certificateFor(otherKey.privateKey)))).id
      // The provider of a tenant, who chose the name of ours and a key of their own.
      const ofTenant = given(ENTITY, certificateFor(otherKey.privateKey)) as never
      tenantId = (await world.call(ManagementService.method.addSAMLProvider, ofTenant, world.owner)).id
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const acsOf = (id: string) => `${world.url}/idps/${id}/saml/acs`
    const start = async (id = idpId): Promise<Started> => {
      const message = { idpId: id, content: { case: 'urls', value: URLS } } as const
      const { nextStep } = await world.call(
        UserService.method.startIdentityProviderIntent,
        message as never,
        world.owner,
      )
      assert.ok(nextStep.case === 'authUrl')
      const { searchParams } = new URL(nextStep.value)
      const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
      const requestId = / ID="([^"]*)"/.exec(request)?.[1] ?? ''
      const audience = `${world.url}/idps/${id}/saml/metadata`
      const good = { issuer: id === otherId ? OTHER : ENTITY, requestId, acs: acsOf(id), audience }
      return { relayState: searchParams.get('RelayState') ?? '', good }
    }
    const post = (xml: string | Buffer, RelayState: string, url = acsOf(idpId)) =>
      fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState }),
        redirect: 'manual',
      })
    const isAccepted = (answer: Response) => {
      assert.equal(answer.status, 303)
      assert.match(answer.headers.get('location') ?? '', /^http:\/\/localhost\/in\?id=.*&token=/)
    }
    const isRefused = async (answer: Response) => {
      const location = answer.headers.get('location') ?? ''
      if (answer.status === 303)
        assert.match(location, /^http:\/\/localhost\/no\?id=[^&]*&error=[a-z_]+&error_description=/)
      else assert.ok([400, 404, 413, 415].includes(answer.status), `${answer.status} ${location}`)
      assert.ok(!`${location}${await answer.text()}`.includes('root:'))
    }

    const followed: Readonly<Record<string, Forge>> = {
      'a signed assertion': (good) => usualResponse(good),
      'a signed response': (good) => signedResponse(good),
      'a signed response with a signed assertion': (good) =>
        signedXml(usualResponse(good), { privateKey: UPSTREAM_KEY }),
      'an assertion that is signed with SHA-512': (good) =>
        usualResponse(good, { algorithm: `${MORE}rsa-sha512`, digest: SHA512 }),
      'an assertion that is signed with a list of prefixes': (good) => {
        const xpath = "//*[local-name(.)='Assertion']"
        return signedXml(responseOf(good, assertionOf(good)), {
          privateKey: UPSTREAM_KEY,
          xpath,
          prefixes: ['xs', 'saml'],
        })
      },
      'a response without a destination and an issuer of its own': (good) =>
        usualResponse({ ...good, destination: null, responseIssuer: null }),
      'a clock that is half a minute ahead': (good) => usualResponse({ ...good, notBefore: Date.now() + 30_000 }),
    }
    for (const [what, forge] of Object.entries(followed)) {
      test(`are beside those that are followed: ${what}`, async () => {
        const started = await start()
        isAccepted(await post(forge(started.good, started), started.relayState))
      })
    }

    for (const [what, forge] of Object.entries({ ...WRAPPED, ...SIGNATURES, ...TEXTS, ...FACTS })) {
      test(`are refused: ${what}`, async () => {
        const started = await start()
        await isRefused(await post(forge(started.good, started), started.relayState))
        // The sign-in is over: what would have been right comes too late.
        assert.equal((await post(usualResponse(started.good), started.relayState)).status, 400)
      })
    }

    test('say in the log that the algorithm of their signature does not count', async () => {
      for (const what of ['RSA with SHA-1', 'a digest with SHA-1']) {
        const started = await start()
        const answer = await post(SIGNATURES[what]?.(started.good, started) ?? assert.fail(), started.relayState)
        const id = new URL(answer.headers.get('location') ?? '').searchParams.get('id') ?? assert.fail()
        const [last] = await world.store.events({ id, descending: true, limit: 1 })
        assert.equal((last?.data as { readonly reason?: string } | undefined)?.reason, 'algorithm_refused', what)
      }
    })

    test('are refused: a response that was used', async () => {
      const { good, relayState } = await start()
      const xml = usualResponse(good)
      isAccepted(await post(xml, relayState))
      assert.equal((await post(xml, relayState)).status, 400)
      const { url } = await world.serveAnother()
      assert.equal((await post(xml, relayState, acsOf(idpId).replace(world.url, url))).status, 400)
      const next = await start()
      await isRefused(await post(xml, next.relayState))
    })

    test('are refused: what nobody asked for, with any state', async () => {
      const { good, relayState } = await start()
      for (const state of ['', 'x', relayState.split('.')[0] ?? '', `${relayState}x`, 'x'.repeat(10_000), '\0']) {
        assert.equal((await post(usualResponse(good), state)).status, 400, state)
      }
      const form = new URLSearchParams({ SAMLResponse: Buffer.from(usualResponse(good)).toString('base64') })
      assert.equal((await fetch(acsOf(idpId), { method: 'POST', body: form })).status, 400)
      isAccepted(await post(usualResponse(good), relayState))
    })

    test('are refused: a response for one provider at the address of another', async () => {
      for (const [of, at] of [
        [otherId, idpId],
        [idpId, otherId],
        [tenantId, idpId],
        [idpId, tenantId],
      ] as const) {
        const { good, relayState } = await start(of)
        const privateKey = of === idpId ? UPSTREAM_KEY : otherKey.pem
        assert.equal(
          (await post(usualResponse({ ...good, acs: acsOf(at) }, { privateKey }), relayState, acsOf(at))).status,
          400,
        )
        isAccepted(await post(usualResponse(good, { privateKey }), relayState, acsOf(of)))
      }
    })

    test('are refused: an assertion of one provider for a sign-in at another that has its name', async () => {
      const { good, relayState } = await start()
      await isRefused(await post(usualResponse(good, { privateKey: otherKey.pem }), relayState))
      const ours = await start()
      const theirs = await start(tenantId)
      await isRefused(await post(usualResponse(ours.good), theirs.relayState, acsOf(tenantId)))
    })

    test('are refused: forms that are not one, or say something twice', async () => {
      const { good, relayState } = await start()
      const xml = Buffer.from(usualResponse(good)).toString('base64')
      const send = (body: BodyInit, type = 'application/x-www-form-urlencoded') =>
        fetch(acsOf(idpId), { method: 'POST', body, headers: { 'content-type': type } })
      assert.equal((await send(JSON.stringify({ SAMLResponse: xml }), 'application/json')).status, 415)
      assert.equal((await send('x'.repeat(1_000_000))).status, 413)
      assert.equal(
        (await send(`SAMLResponse=${encodeURIComponent(xml)}&SAMLResponse=x&RelayState=${relayState}`)).status,
        400,
      )
      assert.equal(
        (await send(`SAMLResponse=${encodeURIComponent(xml)}&RelayState=x&RelayState=${relayState}`)).status,
        400,
      )
      assert.equal((await fetch(acsOf(idpId))).status, 405)
      isAccepted(await post(usualResponse(good), relayState))
    })

    test('are refused: bytes that are compressed, not base64, or not UTF-8', async () => {
      for (const bytes of [deflateRawSync(Buffer.alloc(5_000_000, 32)), Buffer.from([0xff, 0xfe, 0x3c, 0x00])]) {
        const { relayState } = await start()
        await isRefused(await post(bytes, relayState))
      }
      const { relayState } = await start()
      const body = new URLSearchParams({ SAMLResponse: '%%%', RelayState: relayState })
      await isRefused(await fetch(acsOf(idpId), { method: 'POST', body, redirect: 'manual' }))
    })
  })
}
