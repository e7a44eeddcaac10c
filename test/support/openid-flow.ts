/** Requests to the OpenID endpoints as an application makes them: step by step, so that a test can make each one wrong. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { type Application, type Browser, type OpenIdWorld, REDIRECT_URI, type Stop } from './openid-world.ts'

export type Parameters = Readonly<Record<string, string | undefined>>

/** An answer of an endpoint. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the members that it expects
  readonly body: any
  /** Whether the request authenticated a client with the header. */
  readonly usedBasic: boolean
}

export const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-1'
export const CHALLENGE = challengeOf(VERIFIER)

/** The S256 challenge of a verifier (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** Leaves out what is not set. */
function given(parameters: Parameters): [string, string][] {
  return Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
}

/** The header of `client_secret_basic`. */
export function basic({ clientId, clientSecret }: Pick<Application, 'clientId' | 'clientSecret'>): Parameters {
  const text = [clientId, clientSecret].map(encodeURIComponent).join(':')
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
}

/** Sends a request and reads the answer; redirects are not followed. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : {},
    usedBasic: /^basic /i.test(new Headers(init.headers).get('authorization') ?? ''),
  }
}

/** Posts a form. */
export function post(url: string, form: Parameters | URLSearchParams, headers: Parameters = {}): Promise<Answer> {
  const body = form instanceof URLSearchParams ? form : new URLSearchParams(given(form))
  return ask(url, { method: 'POST', body, headers: Object.fromEntries(given(headers)) })
}

/** The address of an authorization request. */
export function authorizationUrl(
  world: OpenIdWorld,
  { clientId }: Pick<Application, 'clientId'>,
  more: Parameters = {},
) {
  const parameters = {
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    state: 'the-state',
    ...more,
  }
  return `${world.url}/oauth/v2/authorize?${new URLSearchParams(given(parameters))}`
}

/** What the application received at its redirect URI. */
export interface Callback {
  readonly stop: Stop
  readonly values: URLSearchParams
  /** Whether the user saw the sign-in page. */
  readonly wasAsked: boolean
}

/** Whether the browser stands on the page that signs users in. */
export function isSignInPage({ url, status }: Stop): boolean {
  return status === 200 && new URL(url).pathname === '/ui/login'
}

/** Makes an authorization request in a browser and signs the user in where asked. */
export async function authorize(
  world: OpenIdWorld,
  application: Pick<Application, 'clientId'>,
  more: Parameters = {},
  { browser = world.browser(), name = 'ada' }: { readonly browser?: Browser; readonly name?: string } = {},
): Promise<Callback> {
  const page = await browser.open(authorizationUrl(world, application, more))
  const wasAsked = isSignInPage(page)
  const stop = wasAsked ? await world.signIn(browser, page, name) : page
  const target = more.redirect_uri ?? REDIRECT_URI
  assert.ok(stop.url.startsWith(target), `${stop.status} ${stop.url} ${stop.text.slice(0, 3000)}`)
  const { searchParams, hash } = new URL(stop.url)
  const values = hash === '' ? searchParams : new URLSearchParams(hash.slice(1))
  return { stop, values, wasAsked }
}

/** Posts to the token endpoint, authenticated by `client_secret_basic` unless other headers are given. */
export function askToken(
  world: OpenIdWorld,
  application: Application,
  form: Parameters,
  headers: Parameters = basic(application),
): Promise<Answer> {
  return post(`${world.url}/oauth/v2/token`, form, headers)
}

/** The form that redeems a code. */
export function codeForm(values: URLSearchParams, more: Parameters = {}): Parameters {
  const code = values.get('code') ?? assert.fail(`no code: ${values}`)
  return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...more }
}

export interface Tokens {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly id_token: string
  readonly refresh_token?: string
  readonly scope: string
}

/** Signs a user in and redeems the code. */
export async function signInFor(
  world: OpenIdWorld,
  application: Application,
  more: Parameters = {},
  options: { readonly browser?: Browser; readonly name?: string } = {},
): Promise<Tokens> {
  const { values } = await authorize(world, application, more, options)
  const answer = await askToken(world, application, codeForm(values))
  assert.equal(answer.status, 200, answer.text)
  return answer.body as Tokens
}

export function userinfo(world: OpenIdWorld, token: string): Promise<Answer> {
  return ask(`${world.url}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } })
}

export function introspect(world: OpenIdWorld, application: Application, token: string): Promise<Answer> {
  return post(`${world.url}/oauth/v2/introspect`, { token }, basic(application))
}

export function refresh(world: OpenIdWorld, application: Application, token = '', more: Parameters = {}) {
  return askToken(world, application, { grant_type: 'refresh_token', refresh_token: token, ...more })
}

/** The claims of an ID token, verified as OpenID Connect Core §3.1.3.7 asks. */
export async function readIdToken(world: OpenIdWorld, { clientId }: Application, token: string): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(`${world.url}/oauth/v2/keys`))
  const { payload } = await jwtVerify(token, keys, {
    issuer: world.url,
    audience: clientId,
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
  })
  if (Array.isArray(payload.aud) && payload.aud.length > 1) assert.equal(payload.azp, clientId)
  return payload
}

/** Whether the answer is an error of this name in the form of RFC 6749 §5.2. */
export function assertError(answer: Answer, status: number, error: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.body.error, error, answer.text)
  for (const value of [answer.body.error, answer.body.error_description ?? '']) {
    // The characters that RFC 6749 §5.2 allows.
    assert.match(value, /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
  }
  const challenge = answer.headers.get('www-authenticate') ?? ''
  // RFC 6749 §5.2: a client that used the header is challenged to use it again, and no other.
  if (status === 401) assert.equal(/^Basic /.test(challenge), answer.usedBasic, `the challenge is ${challenge}`)
}
