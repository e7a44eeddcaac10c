import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const { ISSUER, AUDIENCE, CLIENT_ID, CLIENT_SECRET } = process.env
const keys = createRemoteJWKSet(new URL(`${ISSUER}/oauth/v2/keys`))

/** Who calls. ID tokens have the same issuer and keys: only `at+jwt` is an access token. */
async function callerOf(request) {
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined) throw new Error('There is no token.')
  const { payload } = await jwtVerify(token, keys, {
    typ: 'at+jwt',
    issuer: ISSUER,
    audience: AUDIENCE,
    requiredClaims: ['sub', 'exp', 'client_id'],
  })
  // A signed token counts until it expires: before a change, ask whether it was revoked.
  if (request.method !== 'GET' && !(await isActive(token))) throw new Error('The token is not active.')
  return payload
}

async function isActive(token) {
  const answer = await fetch(`${ISSUER}/oauth/v2/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}` },
    body: new URLSearchParams({ token }),
  })
  return answer.ok && (await answer.json()).active === true
}

createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json')
  try {
    const { sub, scope = '' } = await callerOf(request)
    response.end(JSON.stringify({ hello: sub, scope }))
  } catch (error) {
    response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' })
    response.end(JSON.stringify({ error: error.message }))
  }
}).listen(new URL(AUDIENCE).port || 80, () => console.log(`Call ${AUDIENCE}`))
