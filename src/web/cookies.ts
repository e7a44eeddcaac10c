/** The one cookie: the token of the session that a browser keeps. Scripts cannot read it, other sites cannot send it along. */
import type { PageRequest } from '../http/page.ts'
import { hostOf, isLoopbackName } from './same-origin.ts'

/** RFC 6265bis §4.1.3.2: set by this very host, over https, for all of it. */
const LOCKED_NAME = '__Host-signet_session'
/** On a machine of one's own without https, where browsers do not take the other. */
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

/** The value of a cookie, if it can be one of ours. */
export function cookieOf(header: string, name: string): string | undefined {
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
