/** A login page of the caller's own: authorization requests that are handed to it, sessions, and what answers become. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { OIDCService } from '../../contract/gen/signet/oidc/v2/oidc_service_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import type { CallOptions } from './calls.ts'
import { type Application, type OpenIdWorld, PASSWORD, REDIRECT_URI } from './openid-world.ts'

/** The base of the login page that applications of these tests have. */
export const LOGIN_PAGE = 'https://login.example'

/** The configuration of an application that has this login page. */
export const WITH_LOGIN_PAGE = {
  loginVersion: { version: { case: 'loginV2', value: { baseUri: LOGIN_PAGE } } },
}

/** The scope that asks for the audience of our own API. */
export const API_SCOPE = 'urn:zitadel:iam:org:project:id:zitadel:aud'

export const VERIFIER = 'a-verifier-that-is-long-enough-for-the-standard-0123456789'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

type Texts = Readonly<Record<string, string>>

/** Asks the authorization endpoint; returns where the browser is sent. */
export async function authorize(
  world: OpenIdWorld,
  { clientId }: Pick<Application, 'clientId'>,
  parameters: Texts = {},
  headers: Texts = {},
): Promise<URL> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: 'the state',
    ...parameters,
  })
  const answer = await fetch(`${world.url}/oauth/v2/authorize?${query}`, { redirect: 'manual', headers })
  const location = answer.headers.get('location') ?? assert.fail(`${answer.status} ${await answer.text()}`)
  return new URL(location, world.url)
}

/** The ID of a request that is handed to the login page. */
export async function startRequest(...given: Parameters<typeof authorize>): Promise<string> {
  const url = await authorize(...given)
  return url.searchParams.get('authRequest') ?? assert.fail(url.href)
}

export interface HeldSession {
  readonly sessionId: string
  readonly sessionToken: string
}

/** A session of a user who gave their password. */
export async function openSession(world: OpenIdWorld, userId: string): Promise<HeldSession> {
  const checks = {
    user: { search: { case: 'userId', value: userId } },
    password: { password: PASSWORD },
  } as const
  const { sessionId, sessionToken } = await world.call(SessionService.method.createSession, { checks }, world.owner)
  return { sessionId, sessionToken }
}

/** Answers a request with a session; returns the URL that the browser is sent to. */
export async function createCallback(
  world: Pick<OpenIdWorld, 'call'>,
  as: CallOptions,
  authRequestId: string,
  { sessionId, sessionToken }: HeldSession,
): Promise<URL> {
  const callbackKind = { case: 'session', value: { sessionId, sessionToken } } as const
  const answer = await world.call(OIDCService.method.createCallback, { authRequestId, callbackKind }, as)
  return new URL(answer.callbackUrl)
}

export interface TokenAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, string>>
}

/** Calls the token endpoint as an application. */
export async function askForToken(
  url: string,
  { clientId, clientSecret }: Pick<Application, 'clientId' | 'clientSecret'>,
  parameters: Texts,
): Promise<TokenAnswer> {
  const answer = await fetch(`${url}/oauth/v2/token`, {
    method: 'POST',
    headers: clientSecret === '' ? {} : { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams(parameters),
  })
  return { status: answer.status, body: (await answer.json()) as never }
}

/** Redeems the code of an answer. */
export function redeem(url: string, application: Application, code: string): Promise<TokenAnswer> {
  return askForToken(url, application, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
  })
}

/** The tokens of a user who signed in at the login page. */
export async function tokensOf(
  world: OpenIdWorld,
  as: CallOptions,
  application: Application,
  session: HeldSession,
  parameters: Texts = {},
): Promise<Readonly<Record<string, string>>> {
  const callback = await createCallback(world, as, await startRequest(world, application, parameters), session)
  const { status, body } = await redeem(world.url, application, callback.searchParams.get('code') ?? '')
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
