/**
 * The cookies of the pages: the token of the session that a browser keeps, and for a few minutes the challenge of a
 * passkey. Scripts cannot read them, other sites cannot send them along.
 */
import { cookiesOf } from '../http/cookies.ts'
import type { PageRequest } from '../http/page.ts'
import { hostOf } from '../http/this-machine.ts'
import { isLoopbackHost } from '../kernel/loopback.ts'

export interface SetCookie extends Readonly<Record<string, string>> {
  readonly 'set-cookie': string
}

export interface PageCookie {
  /** The value that the browser keeps. */
  read(request: PageRequest): string | undefined
  /** The header that makes the browser keep this value until then. */
  keep(request: PageRequest, value: string, until: number): SetCookie
  /** The header that makes it forget. */
  forget(request: PageRequest): SetCookie
  /** Whether the browser would keep it at all: over https, or on the machine itself. */
  isKept(request: PageRequest): boolean
}

interface CookieOptions {
  readonly name: string
  /** What its values look like; others are not read. */
  readonly form: RegExp
  readonly externalUrl: URL
  readonly now: () => number
}

function openCookie({ name, form, externalUrl, now }: CookieOptions): PageCookie {
  const isOpen = (request: PageRequest): boolean =>
    externalUrl.protocol === 'http:' && isLoopbackHost(hostOf(request)?.hostname ?? '')
  // The prefix (RFC 6265bis §4.1.3.2): set by this very host, over https, for all of it. Browsers do not take it on a
  // machine of one's own without https.
  const nameFor = (request: PageRequest): string => (isOpen(request) ? name : `__Host-${name}`)
  const header = (request: PageRequest, value: string, seconds: number) => {
    const lock = isOpen(request) ? '' : '; Secure'
    return { 'set-cookie': `${nameFor(request)}=${value}; Path=/; HttpOnly; SameSite=Lax${lock}; Max-Age=${seconds}` }
  }
  return {
    read: (request) => cookiesOf(request, nameFor(request)).find((value) => form.test(value)),
    keep: (request, value, until) => header(request, value, Math.max(0, Math.floor((until - now()) / 1000))),
    forget: (request) => header(request, '', 0),
    isKept: (request) =>
      externalUrl.protocol === 'https:' || isOpen(request) || request.header('x-forwarded-proto') === 'https',
  }
}

export function openSessionCookie(externalUrl: URL, now: () => number): PageCookie {
  return openCookie({ name: 'signet_session', form: /^[\w-]{1,200}$/, externalUrl, now })
}

/** The language that was chosen with the switch of a page. */
export function openLanguageCookie(externalUrl: URL, now: () => number): PageCookie {
  return openCookie({ name: 'signet_language', form: /^[a-z]{2}$/, externalUrl, now })
}

/** Which users have signed in with a browser, see `known-browser.ts`. */
export function openKnownBrowserCookie(externalUrl: URL, now: () => number): PageCookie {
  return openCookie({ name: 'signet_known', form: /^[\w.-]{1,3000}$/, externalUrl, now })
}

export function openChallengeCookie(externalUrl: URL, now: () => number): PageCookie {
  return openCookie({ name: 'signet_passkey', form: /^[\w.-]{1,1000}$/, externalUrl, now })
}

/** Which users do not want a passkey now, see `later.ts`. */
export function openLaterCookie(externalUrl: URL, now: () => number): PageCookie {
  return openCookie({ name: 'signet_later', form: /^[\w.-]{1,1000}$/, externalUrl, now })
}

/** The way that this browser signed in with last: `passkey`, `password`, or the ID of a provider. */
export function openLastWayCookie(externalUrl: URL, now: () => number): PageCookie {
  return openCookie({ name: 'signet_last_way', form: /^[\w-]{1,200}$/, externalUrl, now })
}
