/**
 * Sign-in at our own OpenID provider: authorization code with PKCE (RFC 7636). Tokens stay in the memory of this page.
 * After a reload the provider still knows the browser by its cookie, so the sign-in runs again without a question.
 */
import { environment } from './environment.ts'
import { challengeOf, random } from './pkce.ts'

/** The last one asks for tokens that our own API accepts. */
const SCOPE = 'openid profile email offline_access urn:zitadel:iam:org:project:id:zitadel:aud'
const AUTHORIZATION_PATH = '/oauth/v2/authorize'
const TOKEN_PATH = '/oauth/v2/token'
const END_SESSION_PATH = '/oidc/v1/end_session'
/** Where the provider sends the browser back to. */
let callbackPath = `${import.meta.env.BASE_URL}callback`
/** A token is renewed this long before it expires. */
const LEEWAY_MS = 60_000

interface Tokens {
  readonly access: string
  readonly refresh: string | undefined
  readonly id: string
  readonly receivedAt: number
  readonly expiresAt: number
}

/** What the browser remembers while the user is at the sign-in page. */
interface Attempt {
  readonly verifier: string
  readonly nonce: string
  readonly returnTo: string
  /** Whether the user was asked to sign in once more, to confirm who they are. */
  readonly isConfirmation: boolean
}

export interface Finished {
  /** The path and query where the user was. */
  readonly returnTo: string
  readonly isConfirmation: boolean
}

/** The provider refused the sign-in. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed'
}

let tokens: Tokens | undefined
let renewal: Promise<Tokens> | undefined

function at(path: string): string {
  return new URL(path, environment().issuer).href
}

function keyOf(state: string): string {
  return `signet.sign-in.${state}`
}

/** Names another page for that; one of the redirect URIs of the console's application. */
export function receiveSignInAt(path: string): void {
  callbackPath = path
}

/** Whether this page is the one that the provider sends the browser back to. */
export function isCallback(): boolean {
  return location.pathname === callbackPath
}

/** Where the user is now, to return to. */
export function currentPlace(): string {
  return isCallback() ? import.meta.env.BASE_URL : `${location.pathname}${location.search}${location.hash}`
}

/** Leaves for the sign-in page. The promise never settles: the browser is on its way. */
export async function beginSignIn(options: { readonly confirm?: boolean } = {}): Promise<never> {
  const [state, verifier, nonce] = [random(), random(), random()]
  const isConfirmation = options.confirm === true
  const attempt: Attempt = { verifier, nonce, returnTo: currentPlace(), isConfirmation }
  sessionStorage.setItem(keyOf(state), JSON.stringify(attempt))
  const query = new URLSearchParams({
    client_id: environment().clientId,
    redirect_uri: at(callbackPath),
    response_type: 'code',
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ...(isConfirmation && { prompt: 'login' }),
  })
  location.assign(`${at(AUTHORIZATION_PATH)}?${query}`)
  return new Promise(() => {})
}

/** Redeems the code in the address. Undefined when the address belongs to no sign-in of this tab. */
export async function finishSignIn(): Promise<Finished | undefined> {
  const answer = new URLSearchParams(location.search)
  const key = keyOf(answer.get('state') ?? '')
  const stored = sessionStorage.getItem(key)
  if (stored === null) return undefined
  sessionStorage.removeItem(key)
  const { verifier, nonce, returnTo, isConfirmation } = JSON.parse(stored) as Attempt
  const code = answer.get('code')
  if (code === null) throw new SignInFailed(answer.get('error_description') ?? answer.get('error') ?? '')
  const grant = { grant_type: 'authorization_code', code, redirect_uri: at(callbackPath), code_verifier: verifier }
  const received = await askForTokens(grant)
  // OpenID Connect Core §3.1.3.7: the token came from the provider itself, so its signature need not be checked.
  if (claimsOf(received.id).nonce !== nonce) throw new SignInFailed('The ID token belongs to another sign-in.')
  tokens = received
  return { returnTo, isConfirmation }
}

function claimsOf(idToken: string): Readonly<Record<string, unknown>> {
  const payload = (idToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  return JSON.parse(atob(payload)) as Record<string, unknown>
}

async function askForTokens(grant: Readonly<Record<string, string>>): Promise<Tokens> {
  const body = new URLSearchParams({ client_id: environment().clientId, ...grant })
  const answer = await fetch(at(TOKEN_PATH), { method: 'POST', body })
  const reply = (await answer.json()) as Readonly<Record<string, string>>
  if (!answer.ok) throw new SignInFailed(reply.error_description ?? reply.error ?? String(answer.status))
  const receivedAt = Date.now()
  return {
    access: reply.access_token ?? '',
    refresh: reply.refresh_token ?? tokens?.refresh,
    id: reply.id_token ?? tokens?.id ?? '',
    receivedAt,
    expiresAt: receivedAt + Number(reply.expires_in ?? 0) * 1000,
  }
}

async function renew({ refresh }: Tokens): Promise<Tokens> {
  if (refresh === undefined) return beginSignIn()
  try {
    tokens = await askForTokens({ grant_type: 'refresh_token', refresh_token: refresh })
    return tokens
  } catch (error) {
    // The grant has ended; anything else, such as a lost connection, is tried again with the next request.
    if (error instanceof SignInFailed) return beginSignIn()
    throw error
  } finally {
    renewal = undefined
  }
}

/** A token for the API, renewed before it expires. */
export async function accessToken(): Promise<string> {
  if (tokens === undefined) return beginSignIn()
  if (Date.now() < tokens.expiresAt - Math.min(LEEWAY_MS, (tokens.expiresAt - tokens.receivedAt) / 2)) {
    return tokens.access
  }
  renewal ??= renew(tokens)
  return (await renewal).access
}

const REPLACED = 'signet.replaced-token'

/**
 * The API did not accept the token, for example because the user signed out in another tab: signs in again, unless that was
 * tried a moment ago and did not help.
 */
export async function replaceToken(): Promise<void> {
  const last = Number(sessionStorage.getItem(REPLACED) ?? 0)
  if (Date.now() - last < 10_000) return
  sessionStorage.setItem(REPLACED, String(Date.now()))
  await beginSignIn()
}

/** Ends the session and leaves for the sign-in page. */
export function signOut(): void {
  const query = new URLSearchParams({
    id_token_hint: tokens?.id ?? '',
    client_id: environment().clientId,
    post_logout_redirect_uri: at(import.meta.env.BASE_URL),
  })
  tokens = undefined
  location.assign(`${at(END_SESSION_PATH)}?${query}`)
}
