/** The code flow without a browser: a login client signs the user in with the session API, as a sign-in page does. */
import { createHash, randomBytes } from 'node:crypto'
import type { TestApp, TestUser, Tokens } from './types.ts'

export type Answer = Readonly<Record<string, unknown>>
export type Send = (token: string, path: string, body: object, organizationId?: string) => Promise<Answer>

/** Calls the API of a server, and says what it answered where it refused. */
export function sender(url: string): Send {
  return async (token, path, body, organizationId) => {
    const inside: Readonly<Record<string, string>> =
      organizationId === undefined ? {} : { 'x-service-orgid': organizationId }
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...inside }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
}

export interface FlowOptions {
  readonly url: string
  readonly send: Send
  readonly loginToken: string
  /** The user that the token is of: requests that name it wait for its answer. */
  readonly loginClient: string
}

export interface Asked {
  readonly scope?: string
  readonly resource?: string
}

async function codeFor(
  { url, send, loginToken, loginClient }: FlowOptions,
  { email, password }: TestUser,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const query = new URLSearchParams({ ...parameters, response_type: 'code' })
  const headers = { 'x-signet-login-client': loginClient }
  const asked = await fetch(`${url}/oauth/v2/authorize?${query}`, { redirect: 'manual', headers })
  const { searchParams } = new URL(asked.headers.get('location') ?? '/', url)
  const request = searchParams.get('authRequest')
  if (request === null) throw new Error(searchParams.get('error_description') ?? `No sign-in began: ${asked.status}`)
  const checks = { user: { loginName: email }, password: { password } }
  const { sessionId, sessionToken } = await send(loginToken, '/v2/sessions', { checks })
  const session = { sessionId, sessionToken }
  const { callbackUrl } = await send(loginToken, `/v2/oidc/auth_requests/${request}`, { session })
  return new URL(String(callbackUrl)).searchParams.get('code') ?? ''
}

/** Signs the user in to the app; answers what its token request gets. */
export async function signInFor(
  options: FlowOptions,
  user: TestUser,
  { clientId, clientSecret, redirectUri }: TestApp,
  { scope = 'openid profile email', resource }: Asked,
): Promise<Tokens> {
  const verifier = randomBytes(32).toString('base64url')
  const forApi: Readonly<Record<string, string>> = resource === undefined ? {} : { resource }
  const code = await codeFor(options, user, {
    ...forApi,
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const headers = { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` }
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier, ...forApi }
  const body = new URLSearchParams(form)
  const answer = await fetch(`${options.url}/oauth/v2/token`, { method: 'POST', headers, body })
  const tokens = (await answer.json()) as Tokens & { readonly error_description?: string }
  if (!answer.ok) throw new Error(tokens.error_description ?? String(answer.status))
  return tokens
}
