/**
 * A scripted OpenID provider: honest by default, and wrong in exactly the way that a test wants. It also plays the
 * browser: `answer` returns the parameters of a browser that was sent to its authorization endpoint.
 */
import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export type Json = Record<string, unknown>

/** A key and the name under which it is published. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicJwk: Json
}

export function newSigningKey(kid: string): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { kid, privateKey, publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } }
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** A token that is signed as its header says, or as an attacker would sign it. */
export function writeToken(header: Json, claims: Json, key: KeyObject | string): string {
  const text = `${part(header)}.${part(claims)}`
  if (header.alg === 'none') return `${text}.`
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(text).digest()
      : sign(`sha${String(header.alg).slice(2)}`, Buffer.from(text), key)
  return `${text}.${signature.toString('base64url')}`
}

/** Replaces the responses of the provider. Each function gets the honest one. */
export interface Script {
  metadata?(honest: Json): unknown
  keys?(honest: { keys: readonly Json[] }): unknown
  claims?(honest: Json): Json
  token?(claims: Json, key: SigningKey): string
  tokenReply?(honest: Json): unknown
  userInfo?(honest: Json): unknown
  /** The parameters that the browser brings back. */
  answer?(honest: URLSearchParams): URLSearchParams
  /** Handles a whole request; returns true when it has responded. */
  intercept?(request: IncomingMessage, response: ServerResponse): boolean
}

export interface TokenRequest {
  readonly authorization: string | undefined
  readonly fields: URLSearchParams
}

/** An account at the provider. */
export const SAM: Json = {
  sub: 'sam-4711',
  name: 'Sam Miller',
  given_name: 'Sam',
  family_name: 'Miller',
  preferred_username: 'sam',
  email: 'sam@corp.example',
  email_verified: true,
}

export interface ScriptedProvider {
  readonly issuer: string
  readonly clientId: string
  readonly key: SigningKey
  /** Replaced by tests. */
  script: Script
  account: Json
  /** The time of the provider, in seconds since 1970. */
  now: () => number
  readonly tokenRequests: readonly TokenRequest[]
  /** The requested paths. */
  readonly asked: readonly string[]
  forget(): void
  /**
   * Signs the account in, like a user with a browser at this URL, and returns the parameters that the browser brings
   * back.
   */
  answer(authUrl: string): URLSearchParams
  close(): Promise<void>
}

interface Code {
  readonly nonce: string | null
  readonly challenge: string | null
  readonly redirectUri: string | null
}

async function readBody(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(Buffer.concat(await request.toArray()).toString())
}

export async function openScriptedProvider(key: SigningKey = newSigningKey('key-1')): Promise<ScriptedProvider> {
  const codes = new Map<string, Code>()
  const tokenRequests: TokenRequest[] = []
  const asked: string[] = []
  let issuer = ''

  const send = (response: ServerResponse, value: unknown, status = 200): void => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }

  const giveToken = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fields = await readBody(request)
    tokenRequests.push({ authorization: request.headers.authorization, fields })
    const code = codes.get(fields.get('code') ?? '')
    codes.delete(fields.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(fields.get('code_verifier') ?? '')
      .digest('base64url')
    if (code === undefined || code.challenge !== challenge || code.redirectUri !== fields.get('redirect_uri')) {
      return send(response, { error: 'invalid_grant' }, 400)
    }
    const { script, account } = provider
    const iat = provider.now()
    const honest = { iss: issuer, aud: provider.clientId, sub: account.sub, iat, exp: iat + 300, nonce: code.nonce }
    const claims = script.claims?.(honest) ?? honest
    const idToken = script.token?.(claims, key) ?? writeToken({ alg: 'RS256', kid: key.kid }, claims, key.privateKey)
    const reply = { access_token: 'access-4711', token_type: 'Bearer', expires_in: 7200, id_token: idToken }
    send(response, script.tokenReply?.(reply) ?? reply)
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? ''
    asked.push(path)
    const { script, account } = provider
    if (script.intercept?.(request, response) === true) return
    if (path === '/.well-known/openid-configuration') {
      const honest = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
      }
      return send(response, script.metadata?.(honest) ?? honest)
    }
    if (path === '/keys') {
      const honest = { keys: [key.publicJwk] }
      return send(response, script.keys?.(honest) ?? honest)
    }
    if (path === '/token') return giveToken(request, response)
    if (path === '/userinfo') return send(response, script.userInfo?.(account) ?? account)
    send(response, { error: 'not_found' }, 404)
  }

  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  issuer = `http://127.0.0.1:${address.port}`

  const provider: ScriptedProvider = {
    issuer,
    clientId: 'signet-client',
    key,
    script: {},
    account: SAM,
    now: () => Math.floor(Date.now() / 1000),
    tokenRequests,
    asked,
    forget() {
      tokenRequests.length = 0
      asked.length = 0
      codes.clear()
      this.script = {}
      this.account = SAM
    },
    answer(authUrl) {
      const { searchParams } = new URL(authUrl)
      const code = `code-${codes.size}-${Math.floor(performance.now() * 1000)}`
      codes.set(code, {
        nonce: searchParams.get('nonce'),
        challenge: searchParams.get('code_challenge'),
        redirectUri: searchParams.get('redirect_uri'),
      })
      const honest = new URLSearchParams({ code, state: searchParams.get('state') ?? '' })
      return provider.script.answer?.(honest) ?? honest
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
  return provider
}

/** Leaves out one member. */
export function without(name: string) {
  return ({ [name]: _, ...rest }: Json): Json => rest
}

/** Replaces the response of one path. */
export function intercept(path: string, reply: NonNullable<Script['intercept']>) {
  return (): Script => ({
    intercept: (request, response) => request.url === path && reply(request, response),
  })
}
