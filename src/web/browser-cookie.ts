/** The cookie that recognizes a browser which one of our pages sent to an identity provider. */
import { cookiesOf } from '../http/cookies.ts'
import type { PageRequest } from '../http/page.ts'

// The prefix keeps other hosts of the same domain from setting it; browsers take it over https only.
function nameFor(externalUrl: URL): string {
  return externalUrl.protocol === 'https:' ? '__Host-signet-browser' : 'signet-browser'
}

/** As long as a sign-in may take. */
const LIFETIME_SECONDS = 3600

const VALUE = /^[A-Za-z0-9_-]{43}$/

/** What this browser keeps; undefined when it has no cookie of ours, or one that we did not make. */
export function browserOf(request: Pick<PageRequest, 'header'>, externalUrl: URL): string | undefined {
  const values = cookiesOf(request, nameFor(externalUrl))
  const [value = ''] = values
  return values.length === 1 && VALUE.test(value) ? value : undefined
}

/** The header that makes a browser keep it. `value` is 256 random bits in base64url. */
export function browserCookie(value: string, externalUrl: URL): string {
  const secure = externalUrl.protocol === 'https:' ? '; Secure' : ''
  // Lax: a provider sends the browser back from its own site.
  return `${nameFor(externalUrl)}=${value}; Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax${secure}`
}
