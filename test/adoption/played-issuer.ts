/** An issuer that says what a test tells it to: what Signet never says, an app must refuse all the same. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export interface PlayedIssuer {
  readonly url: string
  /** Tokens that introspection calls active, with their claims. */
  readonly active: Map<string, JWTPayload>
  /** Codes, and the ID token that each gets. */
  readonly codes: Map<string, JWTPayload>
  /** Refresh tokens that count once; each gets a new one. */
  readonly refreshTokens: Set<string>
  /** What userinfo adds. */
  profile: JWTPayload
  /** How often each path was asked. */
  readonly asked: Map<string, number>
  sign(payload: JWTPayload, typ?: string): Promise<string>
  /** Claims of an access token for an audience. */
  claims(audience: string, more?: JWTPayload): JWTPayload
  close(): void
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

export async function playIssuer(): Promise<PlayedIssuer> {
  const pair = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }]
  const active: PlayedIssuer['active'] = new Map()
  const codes: PlayedIssuer['codes'] = new Map()
  const refreshTokens = new Set<string>()
  const asked = new Map<string, number>()
  let issued = 0

  const sign: PlayedIssuer['sign'] = (payload, typ = 'at+jwt') =>
    new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'k', typ }).sign(pair.privateKey)

  const tokens = async (form: URLSearchParams) => {
    issued += 1
    const answer = { access_token: `access-${issued}`, token_type: 'Bearer', expires_in: 60, scope: 'openid' }
    if (form.get('grant_type') === 'refresh_token') {
      if (!refreshTokens.delete(form.get('refresh_token') ?? '')) return { error: 'invalid_grant' }
      const next = `refresh-${issued}`
      refreshTokens.add(next)
      return { ...answer, refresh_token: next }
    }
    const claims = codes.get(form.get('code') ?? '')
    if (claims === undefined) return { error: 'invalid_grant' }
    codes.delete(form.get('code') ?? '')
    refreshTokens.add('refresh')
    return { ...answer, refresh_token: 'refresh', id_token: await sign(claims, 'JWT') }
  }

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', url).pathname
    asked.set(path, (asked.get(path) ?? 0) + 1)
    const answers: Readonly<Record<string, () => Promise<object> | object>> = {
      '/.well-known/openid-configuration': () => ({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/userinfo`,
        introspection_endpoint: `${url}/introspect`,
        end_session_endpoint: `${url}/end`,
        jwks_uri: `${url}/oauth/v2/keys`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/oauth/v2/keys': () => ({ keys }),
      '/token': async () => tokens(await formOf(request)),
      '/userinfo': () => played.profile,
      '/introspect': async () => {
        const claims = active.get((await formOf(request)).get('token') ?? '')
        return claims === undefined ? { active: false } : { active: true, ...claims }
      },
    }
    const answer = (await (answers[path] ?? answers[path.replace('/oauth/v2', '')])?.()) ?? { error: 'not_found' }
    response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const played: PlayedIssuer = {
    url,
    active,
    codes,
    refreshTokens,
    profile: { sub: 'ada', name: 'Ada Lovelace' },
    asked,
    sign,
    claims: (aud, more = {}) => ({
      iss: url,
      aud,
      sub: 'ada',
      client_id: 'shop',
      iat: inSeconds(0),
      exp: inSeconds(600),
      ...more,
    }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return played
}
