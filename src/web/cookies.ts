/** The cookie with the token of the browser's session. Scripts cannot read it; requests from other sites lack it. */
import type { PageRequest } from '../http/page.ts'
import { hostOf, isLoopbackName } from './same-origin.ts'

/** RFC 6265bis §4.1.3.2: set by this host, over https, for all of its paths. */
const LOCKED_NAME = '__Host-signet_session'
/** For localhost without https, where browsers refuse the other name. */
const OPEN_NAME = 'signet_session'

export interface SessionCookie {
  /** The token that the browser keeps. */
  read(request: PageRequest): string | undefined
  /** The header that makes the browser keep this token until then. */
  keep(request: PageRequest, token: string, until: number): Readonly<Record<string, string>>
  /** The header that makes it forget. */
  forget(request: PageRequest): Readonly<Record<string, string>>
  /** Whether the browser would keep it at all: over https, or on the machine itself. */
  isKept(request: PageRequest): boolean
}

function cookieOf(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const [key = '', value = ''] = pair.trim().split('=', 2)
    if (key === name && /^[\w-]{1,200}$/.test(value)) return value
  }
  return undefined
}

export function openSessionCookie(externalUrl: URL, now: () => number): SessionCookie {
  const isOpen = (request: PageRequest): boolean =>
    externalUrl.protocol === 'http:' && isLoopbackName(hostOf(request)?.hostname ?? '')
  const nameFor = (request: PageRequest): string => (isOpen(request) ? OPEN_NAME : LOCKED_NAME)
  const header = (request: PageRequest, value: string, seconds: number) => {
    const lock = isOpen(request) ? '' : '; Secure'
    return { 'set-cookie': `${nameFor(request)}=${value}; Path=/; HttpOnly; SameSite=Lax${lock}; Max-Age=${seconds}` }
  }
  return {
    read: (request) => cookieOf(request.header('cookie') ?? '', nameFor(request)),
    keep: (request, token, until) => header(request, token, Math.max(0, Math.floor((until - now()) / 1000))),
    forget: (request) => header(request, '', 0),
    isKept: (request) =>
      externalUrl.protocol === 'https:' || isOpen(request) || request.header('x-forwarded-proto') === 'https',
  }
}
