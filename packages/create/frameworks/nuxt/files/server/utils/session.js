import { useSession } from 'h3'

/** A sealed cookie: the user, or what the sign-in in progress has to compare. */
export function sessionOf(event) {
  return useSession(event, {
    password: process.env.SESSION_SECRET,
    // Browsers send cookies to every port of a host: apps on localhost need names of their own.
    name: `session-${process.env.CLIENT_ID}`,
    maxAge: 8 * 60 * 60,
    cookie: { sameSite: 'lax', secure: process.env.APP_URL.startsWith('https:') },
  })
}
