/**
 * What the OpenID endpoints are compared with: a bare JSON server (`json`), plain `oidc-provider` that keeps tokens in
 * memory (`provider`), and a bare server whose answer is a token that `node:crypto` signs for each request (`sign`).
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { serve } from './child.ts'

/** The client of `provider`. */
export const CLIENT = { id: 'machine', secret: 'a secret of a machine, long enough' } as const

const KEYS = { modulusLength: 2048 } as const

function body(): object {
  const id = '301234567890123456'
  return {
    sub: id,
    name: 'Ada Lovelace',
    given_name: 'Ada',
    family_name: 'Lovelace',
    locale: 'en',
    updated_at: Math.floor(Date.now() / 1000),
    preferred_username: 'ada',
    email: 'ada@example.com',
    email_verified: true,
  }
}

function reading(answer: (text: string) => object | Promise<object>): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const text = JSON.stringify(await answer(Buffer.concat(chunks).toString()))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      response.end(text)
    })
  }
}

/** A token like those of a machine user. */
function payload(): object {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: 'http://localhost:8080',
    sub: '301234567890123456',
    aud: ['301234567890123457'],
    exp: now + 43_200,
    iat: now,
    nbf: now,
    client_id: 'machine',
    jti: `301234567890123458.${randomBytes(32).toString('base64url')}`,
  }
}

function signing(): RequestListener {
  const { privateKey } = generateKeyPairSync('rsa', KEYS)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return reading(
    (text) =>
      new Promise((resolve, reject) => {
        if (!new URLSearchParams(text).has('grant_type')) throw new Error('not a token request')
        const signed = `${encode({ alg: 'RS256', kid: '1', typ: 'JWT' })}.${encode(payload())}`
        sign('sha256', Buffer.from(signed), privateKey, (error, signature) =>
          error === null
            ? resolve({ access_token: `${signed}.${signature.toString('base64url')}`, token_type: 'Bearer' })
            : reject(error),
        )
      }),
  )
}

function provider(): RequestListener {
  const { privateKey } = generateKeyPairSync('rsa', KEYS)
  const engine = new Provider('http://localhost', {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig' } as never] },
    scopes: ['openid', 'profile'],
    routes: { token: '/oauth/v2/token' },
  })
  return engine.callback()
}

function listener(form: string): RequestListener {
  if (form === 'provider') return provider()
  if (form === 'sign') return signing()
  return reading((text) => {
    if (text !== '') new URLSearchParams(text)
    return body()
  })
}

if (import.meta.main) {
  const server = createServer(listener(process.argv[2] ?? 'json'))
  server.listen(0, '127.0.0.1', () => serve((server.address() as AddressInfo).port))
}
