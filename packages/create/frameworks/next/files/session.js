import { EncryptJWT, jwtDecrypt } from 'jose'
import { cookies } from 'next/headers'

/** Browsers send cookies to every port of a host: apps on localhost need names of their own. */
const COOKIE = `session-${process.env.CLIENT_ID}`
const key = Buffer.from(process.env.SESSION_SECRET, 'base64url')

/** What the cookie says: the user, or what the sign-in in progress has to compare. */
export async function readSession() {
  const cookie = (await cookies()).get(COOKIE)
  if (cookie === undefined) return {}
  const { payload } = await jwtDecrypt(cookie.value, key).catch(() => ({ payload: {} }))
  return payload
}

export async function writeSession(session) {
  const text = await new EncryptJWT(session)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime('8h')
    .encrypt(key)
  const secure = process.env.APP_URL.startsWith('https:')
  ;(await cookies()).set(COOKIE, text, { httpOnly: true, sameSite: 'lax', secure, path: '/' })
}
