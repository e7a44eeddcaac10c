/** "Not now": a browser remembers for 30 days which users do not want to be offered a passkey. The server stores nothing. */
import { createHash } from 'node:crypto'
import type { PageRequest } from '../http/page.ts'
import type { PageCookie, SetCookie } from './cookies.ts'

const DAY_MS = 24 * 3_600_000
const DAYS = 30
/** How many users one browser remembers, newest first. */
const MOST_USERS = 10

export interface Later {
  /** The header that makes the browser remember that a user answered "Not now". */
  keep(request: PageRequest, userId: string): SetCookie
  /** Whether the user answered so in the last 30 days. */
  isKept(request: PageRequest, userId: string): boolean
}

function markOf(userId: string): string {
  return createHash('sha256').update(`later ${userId}`).digest('base64url').slice(0, 16)
}

/** Each user's mark stands after the day until which it counts: `20750-mark.20748-mark`. */
export function openLater(cookie: PageCookie, now: () => number): Later {
  const read = (request: PageRequest): readonly (readonly [number, string])[] =>
    (cookie.read(request) ?? '').split('.').flatMap((entry) => {
      const [, day = '', mark = ''] = /^(\d{1,6})-(.{16})$/.exec(entry) ?? []
      return day !== '' && Number(day) * DAY_MS > now() ? [[Number(day), mark] as const] : []
    })
  return {
    keep(request, userId) {
      const mark = markOf(userId)
      const others = read(request).filter(([, one]) => one !== mark)
      const until = now() + DAYS * DAY_MS
      const marks = [[Math.ceil(until / DAY_MS), mark] as const, ...others].slice(0, MOST_USERS)
      return cookie.keep(request, marks.map(([day, one]) => `${day}-${one}`).join('.'), until)
    },
    isKept: (request, userId) => read(request).some(([, mark]) => mark === markOf(userId)),
  }
}
