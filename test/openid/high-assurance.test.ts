/** Applications of the FAPI 2.0 Security Profile: the whole flow with `openid-client`, and what the server adds to it. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, webcrypto } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as client from 'openid-client'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { WebKeyService } from '../../contract/gen/signet/webkey/v2/webkey_service_pb.ts'
import { engines } from '../support/engines.ts'
import {
  ALGORITHMS,
  type Algorithm,
  addFapiClient,
  askBound,
  callbackOf,
  clientForm,
  FAPI2,
  type FapiClient,
  PRIVATE_KEY_JWT,
  publicPem,
  redeemForm,
} from '../support/high-assurance.ts'
import { ask, assertError, authorize, basic, CHALLENGE, isSignInPage, post, signInFor } from '../support/openid-flow.ts'
import { addApplicationKey, assertionForm, newDpopKey } from '../support/openid-keys.ts'
import { type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'

const IMPORTED = {
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  EdDSA: { name: 'Ed25519' },
} as const

for (const engine of engines) {
  suite(`applications of high assurance on ${engine.name}`, () => {
    let world: OpenIdWorld

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const configOf = async ({ application, algorithm, privateKey, keyId }: FapiClient) => {
      const bytes = privateKey.export({ type: 'pkcs8', format: 'der' })
      const key = await webcrypto.subtle.importKey('pkcs8', bytes, IMPORTED[algorithm], false, ['sign'])
      const auth = client.PrivateKeyJwt({ key: key as CryptoKey, kid: keyId })
      const options = { execute: [client.allowInsecureRequests] }
      return client.discovery(new URL(world.url), application.clientId, undefined, auth, options)
    }

    const signInWith = async (config: client.Configuration, DPoP: client.DPoPHandle, more = {}) => {
      const verifier = client.randomPKCECodeVerifier()
      const parameters = {
        redirect_uri: REDIRECT_URI,
        scope: 'openid offline_access',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        nonce: 'the-nonce',
        ...more,
      }
      const url = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP })
      assert.deepEqual([...url.searchParams.keys()].sort(), ['client_id', 'request_uri'])
      const browser = world.browser()
      const page = await browser.open(url.href)
      assert.ok(isSignInPage(page), page.text.slice(0, 1000))
      const stop = await world.signIn(browser, page, 'ada')
      // RFC 9207: `openid-client` compares it with the issuer.
      assert.equal(new URL(stop.url).searchParams.get('iss'), world.url)
      const checks = { pkceCodeVerifier: verifier, expectedNonce: 'the-nonce' }
      return client.authorizationCodeGrant(config, new URL(stop.url), checks, undefined, { DPoP })
    }

    for (const algorithm of Object.keys(ALGORITHMS) as Algorithm[]) {
      test(`openid-client signs in, refreshes and reads userinfo with ${algorithm}`, async () => {
        const config = await configOf(await addFapiClient(world, algorithm))
        const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
        const tokens = await signInWith(config, DPoP)
        assert.equal(tokens.token_type, 'dpop')
        assert.equal(decodeProtectedHeader(tokens.id_token ?? '').alg, 'PS256')
        const { sub } = tokens.claims() ?? assert.fail('no ID token')
        const told = await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP })
        assert.equal(told.sub, sub)
        const first = tokens.refresh_token ?? assert.fail('no refresh token')
        for (let times = 0; times < 2; times++) {
          const fresh = await client.refreshTokenGrant(config, first, undefined, { DPoP })
          assert.equal(fresh.refresh_token, first, 'the refresh token stays the same')
          assert.equal(decodeProtectedHeader(fresh.id_token ?? '').alg, 'PS256')
          await client.fetchUserInfo(config, fresh.access_token, sub, { DPoP })
        }
      })
    }

    test('signed access tokens name the key, and are signed with PS256 too', async () => {
      const config = await configOf(await addFapiClient(world, 'ES256', { accessTokenType: 1 }))
      const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
      const { access_token: token } = await signInWith(config, DPoP)
      assert.equal(decodeProtectedHeader(token).alg, 'PS256')
      assert.equal(typeof (decodeJwt(token).cnf as { jkt: string }).jkt, 'string')
    })

    test('other applications get tokens as before, and the key set has both keys', async () => {
      const tokens = await signInFor(world, await world.addApplication())
      assert.equal(decodeProtectedHeader(tokens.id_token).alg, 'RS256')
      const { body } = await ask(`${world.url}/oauth/v2/keys`)
      const named = (body.keys as { kid: string; alg: string }[]).map(({ kid, alg }) => [kid, alg])
      assert.deepEqual(
        named.filter(([, alg]) => alg === 'PS256').map(([kid]) => kid),
        named.filter(([, alg]) => alg === 'RS256').map(([kid]) => `${kid}-PS256`),
      )
    })

    test('an ID token is signed with ES256 where that is the active web key', async () => {
      const { method } = WebKeyService
      const { id } = await world.call(method.createWebKey, { key: { case: 'ecdsa', value: { curve: 1 } } }, world.owner)
      const before = (await world.call(method.listWebKeys, {}, world.owner)).webKeys.find(({ state }) => state === 2)
      await world.call(method.activateWebKey, { id }, world.owner)
      try {
        const config = await configOf(await addFapiClient(world))
        const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
        const header = decodeProtectedHeader((await signInWith(config, DPoP)).id_token ?? '')
        assert.deepEqual([header.alg, header.kid], ['ES256', id])
      } finally {
        await world.call(method.activateWebKey, { id: before?.id ?? '' }, world.owner)
      }
    })

    test('a nonce of one node counts on another one', async () => {
      const fapi = await addFapiClient(world)
      const other = await world.serveAnother()
      const form = { grant_type: 'refresh_token', refresh_token: 'unknown' }
      const url = `${world.url}/oauth/v2/token`
      const key = newDpopKey()
      const asked = await post(
        url,
        { ...form, ...(await clientForm(world, fapi)) },
        { dpop: await key.proof('POST', url) },
      )
      assertError(asked, 400, 'use_dpop_nonce')
      const nonce = asked.headers.get('dpop-nonce') ?? ''
      assert.match(nonce, /^[\x21\x23-\x5b\x5d-\x7e]+$/)
      const answer = await post(
        `${other.url}/oauth/v2/token`,
        { ...form, ...(await clientForm(world, fapi)) },
        { dpop: await key.proof('POST', url, { nonce }) },
      )
      assertError(answer, 400, 'invalid_grant')
    })

    test('openid-client refreshes with any key, and the new access token counts with that key alone', async () => {
      const config = await configOf(await addFapiClient(world))
      const handle = async () => client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
      const first = await handle()
      const tokens = await signInWith(config, first)
      const { sub } = tokens.claims() ?? assert.fail('no ID token')
      for (const DPoP of [await handle(), first, await handle()]) {
        const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })
        assert.equal((await client.fetchUserInfo(config, fresh.access_token, sub, { DPoP })).sub, sub)
        const other = { DPoP: await handle() }
        await assert.rejects(client.fetchUserInfo(config, fresh.access_token, sub, other))
      }
    })

    test('a refresh token from before the application had to bind its tokens counts, and gives a bound one', async () => {
      const fapi = await addFapiClient(world, 'ES256', { requireDpop: false })
      const values = await callbackOf(world, fapi)
      const url = `${world.url}/oauth/v2/token`
      const { body } = await post(url, { ...redeemForm(values), ...(await clientForm(world, fapi)) })
      assert.equal(body.token_type, 'Bearer')
      const { id: applicationId, projectId } = fapi.application
      const value = { ...FAPI2, clientAssertionAlgorithm: ALGORITHMS.ES256.number }
      const request = { applicationId, projectId, applicationType: { case: 'oidcConfiguration', value } }
      await world.call(ApplicationService.method.updateApplication, request as never, world.owner)
      const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
      const fresh = await askBound(world, fapi, form)
      assert.deepEqual([fresh.status, fresh.body.token_type], [200, 'DPoP'])
      // Without a proof there is no token, whatever is refreshed.
      assertError(await post(url, { ...form, ...(await clientForm(world, fapi)) }), 400, 'invalid_grant')
    })

    test('a refresh token that was bound to a key of a public client counts once the client authenticates', async () => {
      const spa = await world.addApplication({ grantTypes: [0, 2], applicationType: 1, authMethodType: 2 })
      const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
      const { values } = await authorize(world, spa, { scope: 'openid offline_access', ...challenge })
      const url = `${world.url}/oauth/v2/token`
      const [key, other] = [newDpopKey(), newDpopKey()]
      const client = { client_id: spa.clientId }
      const redeemed = await post(url, { ...redeemForm(values), ...client }, { dpop: await key.proof('POST', url) })
      const form = { grant_type: 'refresh_token', refresh_token: redeemed.body.refresh_token }
      const strange = await post(url, { ...form, ...client }, { dpop: await other.proof('POST', url) })
      assertError(strange, 400, 'invalid_grant')
      const { id: applicationId, projectId } = spa
      const value = { grantTypes: [0, 2], authMethodType: PRIVATE_KEY_JWT }
      const request = { applicationId, projectId, applicationType: { case: 'oidcConfiguration', value } }
      await world.call(ApplicationService.method.updateApplication, request as never, world.owner)
      const assertion = await assertionForm(world, spa, await addApplicationKey(world, spa))
      const fresh = await post(url, { ...form, ...assertion }, { dpop: await other.proof('POST', url) })
      assert.deepEqual([fresh.status, fresh.body.token_type], [200, 'DPoP'], fresh.text)
    })

    test('the application says which requirements it meets, and what is left to do', async () => {
      const read = async (id: string) => {
        const found = await world.call(ApplicationService.method.getApplication, { applicationId: id }, world.owner)
        const config = found.application?.configuration
        return config?.case === 'oidcConfiguration' ? config.value : assert.fail('no configuration')
      }
      const plain = await read((await world.addApplication()).id)
      assert.deepEqual(
        plain.fapi2Requirements.filter(({ met }) => met).map(({ key }) => key),
        ['GrantTypes', 'RedirectUris'],
      )
      assert.deepEqual(plain.complianceProblems, [])
      const whole = await read((await addFapiClient(world)).application.id)
      assert.ok(whole.fapi2Requirements.length === 8 && whole.fapi2Requirements.every(({ met }) => met))
      assert.equal(whole.nonCompliant, false)
      const loose = { developmentMode: true, grantTypes: [0, 2, 3], requireAssertionJti: false }
      const part = await read((await addFapiClient(world, 'ES256', loose)).application.id)
      assert.deepEqual(
        part.complianceProblems.map(({ key }) => key),
        ['NotCompliant', 'Fapi2.AssertionJti', 'Fapi2.GrantTypes', 'Fapi2.RedirectUris'].map(
          (key) => `Application.OIDC.V1.${key}`,
        ),
      )
    })

    test('keys that are too weak, private, or for another algorithm are refused', async () => {
      const { application } = await addFapiClient(world)
      const { id: applicationId, projectId } = application
      const weak = [
        generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
        generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey,
        generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
        generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
        generateKeyPairSync('ed25519').privateKey,
        generateKeyPairSync('x25519').privateKey,
      ].map(publicPem)
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      const texts = [
        ...weak,
        own.export({ type: 'pkcs8', format: 'pem' }).toString(),
        'x',
        '-----BEGIN PUBLIC KEY-----',
      ]
      for (const publicKey of [...texts, '']) {
        const request = { applicationId, projectId, publicKey }
        await assert.rejects(world.call(ApplicationService.method.createApplicationKey, request, world.owner), {
          code: 'application.key_invalid',
        })
      }
    })

    test('without the settings, an application needs none of it', async () => {
      const application = await world.addApplication({ grantTypes: [0, 2] })
      const tokens = await signInFor(world, application, { scope: 'openid offline_access' })
      assert.equal(tokens.token_type, 'Bearer')
      const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
      const fresh = await post(`${world.url}/oauth/v2/token`, form, basic(application))
      assert.notEqual(fresh.body.refresh_token, tokens.refresh_token)
      const url = `${world.url}/oauth/v2/token`
      const next = { grant_type: 'refresh_token', refresh_token: fresh.body.refresh_token }
      const bound = await post(url, next, { ...basic(application), dpop: await newDpopKey().proof('POST', url) })
      assert.equal(bound.status, 200, bound.text)
      assert.equal(bound.headers.get('dpop-nonce'), null)
    })
  })
}
