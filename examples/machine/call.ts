/** A machine that calls the API. It proves who it is with its key (RFC 7523), so no secret is sent. */
import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { setting } from '../settings.ts'

interface KeyFile {
  readonly keyId: string
  readonly userId: string
  /** The private key in PEM. */
  readonly key: string
}

const issuer = setting('ISSUER')
const { keyId, userId, key } = JSON.parse(Buffer.from(setting('MACHINE_KEY'), 'base64').toString()) as KeyFile

const assertion = await new SignJWT()
  .setProtectedHeader({ alg: 'RS256', kid: keyId })
  .setIssuer(userId)
  .setSubject(userId)
  .setAudience(issuer)
  .setIssuedAt()
  .setExpirationTime('1 minute')
  .sign(createPrivateKey(key))

const response = await fetch(`${issuer}/oauth/v2/token`, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
    // The API accepts tokens for its project.
    scope: `openid urn:zitadel:iam:org:project:id:${setting('PROJECT_ID')}:aud`,
  }),
})
const answer = (await response.json()) as { readonly access_token?: string }
if (answer.access_token === undefined) throw new Error(`no token: ${JSON.stringify(answer)}`)

const photos = await fetch(`${setting('API')}/photos`, { headers: { authorization: `Bearer ${answer.access_token}` } })
console.log(photos.status, await photos.text())
