/** An application of the FAPI 2.0 Security Profile: its keys, and its requests step by step, so that a test can spoil each. */
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ClientAssertionAlgorithm } from '../../contract/gen/signet/application/v2/oidc_pb.ts'
import { type Answer, CHALLENGE, isSignInPage, type Parameters, post, VERIFIER } from './openid-flow.ts'
import { type DpopKey, newDpopKey } from './openid-keys.ts'
import { type Application, type Browser, type OpenIdWorld, REDIRECT_URI } from './openid-world.ts'

export const PRIVATE_KEY_JWT = 3
export const FAPI2 = {
  authMethodType: PRIVATE_KEY_JWT,
  grantTypes: [0, 2] as number[],
  requireAssertionJti: true,
  requirePushedAuthorizationRequests: true,
  requireDpop: true,
  requirePkce: true,
}

export const ALGORITHMS = {
  PS256: {
    number: ClientAssertionAlgorithm.PS256,
    make: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  },
  ES256: {
    number: ClientAssertionAlgorithm.ES256,
    make: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  },
  EdDSA: { number: ClientAssertionAlgorithm.EDDSA, make: () => generateKeyPairSync('ed25519').privateKey },
} as const

export type Algorithm = keyof typeof ALGORITHMS

export interface FapiClient {
  readonly application: Application
  readonly algorithm: Algorithm
  readonly privateKey: KeyObject
  readonly keyId: string
}

/** The public part of a key in PEM. */
export function publicPem(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
}

/** Adds an application of the profile that brings its own key. */
export async function addFapiClient(
  world: OpenIdWorld,
  algorithm: Algorithm = 'ES256',
  more: Readonly<Record<string, unknown>> = {},
): Promise<FapiClient> {
  const { number, make } = ALGORITHMS[algorithm]
  const application = await world.addApplication({ ...FAPI2, clientAssertionAlgorithm: number, ...more })
  const privateKey = make()
  const { id: applicationId, projectId } = application
  const key = { applicationId, projectId, publicKey: publicPem(privateKey) }
  const { keyId, keyDetails } = await world.call(ApplicationService.method.createApplicationKey, key, world.owner)
  assert.equal(keyDetails.length, 0)
  return { application, algorithm, privateKey, keyId }
}

/** What a test changes in an assertion. */
export interface Spoiled {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, string>>
  readonly key?: KeyObject
}

/** The parameters of `private_key_jwt`. */
export async function clientForm(
  world: OpenIdWorld,
  { application: { clientId }, algorithm, privateKey, keyId }: FapiClient,
  { claims = {}, header = {}, key = privateKey }: Spoiled = {},
): Promise<Parameters> {
  const now = Math.floor(Date.now() / 1000)
  const payload = {
    iss: clientId,
    sub: clientId,
    aud: world.url,
    iat: now,
    exp: now + 60,
    jti: randomUUID(),
    ...claims,
  }
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT(payload)
      .setProtectedHeader({ alg: algorithm, kid: keyId, ...header })
      .sign(key),
  }
}

/** Pushes a request. */
export async function push(
  world: OpenIdWorld,
  client: FapiClient,
  more: Parameters = {},
  { spoiled, headers = {} }: { readonly spoiled?: Spoiled; readonly headers?: Parameters } = {},
): Promise<Answer> {
  const form = {
    response_type: 'code',
    client_id: client.application.clientId,
    redirect_uri: REDIRECT_URI,
    scope: 'openid offline_access',
    state: 'the-state',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...(await clientForm(world, client, spoiled)),
    ...more,
  }
  return post(`${world.url}/oauth/v2/par`, form, headers)
}

/** The address to which a user is sent with a pushed request. */
export function frontUrl(world: OpenIdWorld, { application }: FapiClient, answer: Answer, more: Parameters = {}) {
  assert.equal(answer.status, 201, answer.text)
  const given = { client_id: application.clientId, request_uri: answer.body.request_uri, ...more }
  return `${world.url}/oauth/v2/authorize?${new URLSearchParams(given as Record<string, string>)}`
}

/** Pushes a request, signs a user in and returns what the application receives. */
export async function callbackOf(
  world: OpenIdWorld,
  client: FapiClient,
  more: Parameters = {},
  browser: Browser = world.browser(),
): Promise<URLSearchParams> {
  const page = await browser.open(frontUrl(world, client, await push(world, client, more)))
  const stop = isSignInPage(page) ? await world.signIn(browser, page, 'ada') : page
  assert.ok(stop.url.startsWith(REDIRECT_URI), `${stop.status} ${stop.url} ${stop.text.slice(0, 1000)}`)
  return new URL(stop.url).searchParams
}

/** Asks for tokens with a proof, again with the nonce that the server then gives. */
export async function askBound(
  world: OpenIdWorld,
  client: FapiClient,
  form: Parameters,
  key: DpopKey = newDpopKey(),
): Promise<Answer> {
  const url = `${world.url}/oauth/v2/token`
  // The nonce is asked for before the assertion is used up, so it is sent twice.
  const whole = { ...form, ...(await clientForm(world, client)) }
  const first = await post(url, whole, { dpop: await key.proof('POST', url) })
  if (first.body.error !== 'use_dpop_nonce') return first
  const nonce = first.headers.get('dpop-nonce') ?? assert.fail('no nonce')
  return post(url, whole, { dpop: await key.proof('POST', url, { nonce }) })
}

/** The form that redeems the code of a callback. */
export function redeemForm(values: URLSearchParams, more: Parameters = {}): Parameters {
  const code = values.get('code') ?? assert.fail(`no code: ${values}`)
  return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER, ...more }
}
