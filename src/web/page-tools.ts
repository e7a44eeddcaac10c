/** What pages share: the app, the session cookie, codes from mails, and answers that do not tell users apart. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Person } from '../features/sign-in/index.ts'
import type { Throttle } from '../kernel/share.ts'
import type { App } from '../module/app.ts'
import type { PageCookie, SetCookie } from './cookies.ts'
import type { Later } from './later.ts'
import { form, message } from './parts.ts'
import type { Shown, Visit } from './site.ts'

/** What pages are given. */
export interface PageTools {
  readonly app: App
  readonly externalUrl: URL
  /** The session of the browser. */
  readonly cookie: PageCookie
  /** The challenge of a passkey that was asked for before there was a session. */
  readonly challengeCookie: PageCookie
  /** The way that this browser signed in with last. */
  readonly lastWay: PageCookie
  /** Who does not want a passkey now. */
  readonly later: Later
  /** Starts to send, at most so often for one key, and does not wait. */
  send(key: string, deliver: () => Promise<void>): void
  /** Notes that a person signed in with this browser, and tells them by mail when it is the first time. */
  recognize(visit: Visit, person: Person): Promise<readonly SetCookie[]>
  /** Delays a refusal until a fixed time after its beginning. */
  delayRefusal(startedAt: number): Promise<void>
  /** Whether one more attempt to register with one sign-in at a provider is allowed. */
  mayRegister(intentId: string): boolean
  /** Whether one more registration from one address of the network is allowed. */
  mayRegisterFrom(ip: string): boolean
}

/** The code in a link or a form, and whose it is said to be. */
export interface GivenCode {
  readonly userId: string
  readonly code: string
  readonly orgId: string | undefined
  /** The name that the user signs in with, as the mail with the link says it: the page must not look it up. */
  readonly loginName: string | undefined
  /** Where the page asks for an address: what was entered. */
  readonly email: string | undefined
}

/** Drops text that is longer than any id or code of ours, or that no database can store. */
function clean(text: string | null): string {
  return text === null || text.length > 200 || text.includes('\0') ? '' : text
}

export function readGivenCode(from: URLSearchParams): GivenCode {
  return {
    userId: clean(from.get('userId') ?? from.get('user')),
    code: clean(from.get('code')).trim(),
    orgId: clean(from.get('orgId')) || undefined,
    loginName: clean(from.get('loginName')).trim() || undefined,
    email: clean(from.get('email')).trim() || undefined,
  }
}

/** How pages send a mail without revealing whether there is a user to send it to. */
export interface Sending {
  /** Limits how often one user gets a mail, so that no one can flood a mailbox. */
  readonly throttle: Throttle
  fault(error: unknown): void
}

/**
 * Starts to send and does not wait: neither the answer nor its timing reveals whether the user exists. Sends over the
 * limit are dropped silently.
 */
export function sendInBackground({ throttle, fault }: Sending, key: string, send: () => Promise<void>): void {
  if (throttle(key)) setImmediate(() => void send().catch(fault))
}

/**
 * Delays refusals until this long after their beginning, or as long as the slowest check of a password may take, so that
 * timing does not reveal the reason.
 */
export function openRefusalDelay(
  refusalMs: number,
  slowestMs: () => Promise<number> = async () => 0,
  wait: (milliseconds: number) => Promise<unknown> = sleep,
) {
  return async (startedAt: number) => {
    const left = startedAt + Math.max(refusalMs, await slowestMs()) - performance.now()
    if (left > 0) await wait(left)
  }
}

/** One page for a wrong, used or expired code and for users in any state: it offers to send a new link. */
export function staleLink({ texts, lang }: Visit, path: string, userId: string): Shown {
  const { title, text, button } = texts.stale
  return { status: 400, title, content: message(title, [text], form(path, { again: 'yes', userId, lang }, button)) }
}

/** One page, whether or not something was sent. */
export function checkYourMailbox({ texts }: Visit): Shown {
  const { title, text, again } = texts.sent
  return { title, content: message(title, [text, again]) }
}
