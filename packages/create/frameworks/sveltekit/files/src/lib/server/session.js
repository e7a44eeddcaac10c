import { EncryptJWT, jwtDecrypt } from 'jose'
import { APP_URL, CLIENT_ID, SESSION_SECRET } from '$env/static/private'

/** Browsers send cookies to every port of a host: apps on localhost need names of their own. */
const COOKIE = `session-${CLIENT_ID}`
const key = Buffer.from(SESSION_SECRET, 'base64url')

/** What the cookie says: the user, or what the sign-in in progress has to compare. */
export async function readSession(cookies) {
  const cookie = cookies.get(COOKIE)
  if (cookie === undefined) return {}
  const { payload } = await jwtDecrypt(cookie, key).catch(() => ({ payload: {} }))
  return payload
}

export async function writeSession(cookies, session) {
  const text = await new EncryptJWT(session)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime('8h')
    .encrypt(key)
  cookies.set(COOKIE, text, { path: '/', httpOnly: true, sameSite: 'lax', secure: APP_URL.startsWith('https:') })
}
