import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { ISSUER, PROJECT_ID, CLIENT_ID, CLIENT_SECRET, PORT = '3002' } = process.env
const keys = createRemoteJWKSet(new URL(`${ISSUER}/oauth/v2/keys`))

/** A signed token needs no call to the server. It counts until it expires. */
async function verify(token) {
  const { payload } = await jwtVerify(token, keys, {
    issuer: ISSUER,
    audience: PROJECT_ID,
    requiredClaims: ['jti', 'exp'],
  })
  // ID tokens are signed with the same keys. They have an `azp`; access tokens do not.
  if (payload.azp !== undefined) throw new Error('This is an ID token.')
  return payload
}

/** The server answers for an opaque token, and knows at once when it was revoked. */
async function introspect(token) {
  const answer = await fetch(`${ISSUER}/oauth/v2/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}` },
    body: new URLSearchParams({ token }),
  })
  const claims = await answer.json()
  if (!claims.active) throw new Error(claims.error_description ?? 'The token is not active.')
  return claims
}

/** Who calls; throws when there is no valid token for this project. */
async function callerOf(request) {
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined) throw new Error('There is no token.')
  return token.split('.').length === 3 ? verify(token) : introspect(token)
}

createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json')
  try {
    const { sub } = await callerOf(request)
    response.end(JSON.stringify({ hello: sub }))
  } catch (error) {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(JSON.stringify({ error: error.message }))
  }
}).listen(PORT, () => console.log(`Call http://localhost:${PORT}`))
