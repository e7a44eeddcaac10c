/**
 * An API that accepts access tokens for its project. A signed token is verified here, with the public keys of Signet. An
 * opaque token is sent to Signet, which answers whether it is valid (RFC 7662).
 */
import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { setting } from '../settings.ts'

const issuer = setting('ISSUER')
const projectId = setting('PROJECT_ID')
const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/v2/keys`))

/** What the API knows about its caller. */
interface Caller {
  readonly sub: string
  readonly how: 'signature' | 'introspection'
}

/** Needs no call to Signet, but a revoked token is accepted until it expires. */
async function verify(token: string): Promise<Caller | undefined> {
  try {
    // ID tokens have the same keys and audience; only access tokens have no `azp`.
    const { payload } = await jwtVerify(token, keys, { issuer, audience: projectId, requiredClaims: ['jti', 'exp'] })
    return payload.azp === undefined ? { sub: payload.sub ?? '', how: 'signature' } : undefined
  } catch {
    return undefined
  }
}

/** A revoked token is refused at once. */
async function introspect(token: string): Promise<Caller | undefined> {
  const credentials = `${setting('API_CLIENT_ID')}:${setting('API_CLIENT_SECRET')}`
  const response = await fetch(`${issuer}/oauth/v2/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: new URLSearchParams({ token }),
  })
  if (!response.ok) throw new Error(`introspection failed: ${response.status} ${await response.text()}`)
  const { active, sub } = (await response.json()) as { readonly active: boolean; readonly sub: string }
  return active ? { sub, how: 'introspection' } : undefined
}

async function callerOf(authorization: string | undefined): Promise<Caller | undefined> {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) return undefined
  return token.split('.').length === 3 ? verify(token) : introspect(token)
}

const server = createServer(async (request, response) => {
  response.setHeader('access-control-allow-origin', setting('SPA'))
  response.setHeader('access-control-allow-headers', 'authorization')
  if (request.method === 'OPTIONS') return response.writeHead(204).end()
  const caller = await callerOf(request.headers.authorization).catch((error: unknown) => console.error(error))
  if (caller === undefined) {
    return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(JSON.stringify({ error: 'invalid_token' }))
  }
  response.setHeader('content-type', 'application/json')
  return response.end(JSON.stringify({ photos: ['lake.jpg', 'mountain.jpg'], caller }))
})
server.listen(Number(new URL(setting('API')).port), () => console.log(`API: ${setting('API')}`))
