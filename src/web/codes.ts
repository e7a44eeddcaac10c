/** What pages with a code from a mail share: who holds it, what follows when it does not count, and answers that tell nobody apart. */
import { setTimeout as sleep } from 'node:timers/promises'
import { form, message } from './parts.ts'
import type { PagePorts } from './ports.ts'
import type { Shown, Visit } from './site.ts'
import type { Throttle } from './throttle.ts'

/** What every page with a code is built from. */
export interface CodePageNeeds {
  readonly ports: PagePorts
  /** Starts to send, at most so often for one key, and does not wait. */
  sending(key: string, send: () => Promise<void>): void
  /** Holds a refusal back until its time has come. */
  pace(startedAt: number): Promise<void>
}

/** What a link or a form says about its holder, as it stands there. */
export interface GivenCode {
  readonly userId: string
  readonly code: string
  readonly orgId: string | undefined
}

/** Longer than any id and code that we give away; and no database takes NUL. */
function clean(text: string | null): string {
  return text === null || text.length > 200 || text.includes('\0') ? '' : text
}

export function readGivenCode(from: URLSearchParams): GivenCode {
  return {
    userId: clean(from.get('userId') ?? from.get('user')),
    code: clean(from.get('code')).trim(),
    orgId: clean(from.get('orgId')) || undefined,
  }
}

/** How pages send what was asked for without telling anybody whether there was something to send. */
export interface Sending {
  /** How often for one user, so that nobody's mailbox is filled by others. */
  readonly throttle: Throttle
  fault(error: unknown): void
}

/**
 * Starts to send and does not wait: neither the answer nor the time it takes tells whether there is such a user, and one
 * send too many is dropped in silence.
 */
export function sendUnseen({ throttle, fault }: Sending, key: string, send: () => Promise<void>): void {
  if (throttle(key)) setImmediate(() => void send().catch(fault))
}

/** Holds a refusal back until this long after its beginning, so that time does not tell why it was refused. */
export function openPace(refusalMs: number) {
  return async (startedAt: number) => {
    const left = startedAt + refusalMs - performance.now()
    if (left > 0) await sleep(left)
  }
}

/** The same for a wrong, a used and an expired code and for users of any state: what to do now. */
export function staleLink({ texts, lang }: Visit, path: string, userId: string): Shown {
  const { title, text, button } = texts.stale
  return { status: 400, title, content: message(title, [text], form(path, { again: 'yes', userId, lang }, button)) }
}

/** The same whether or not something was sent. */
export function lookIntoMailbox({ texts }: Visit): Shown {
  const { title, text, again } = texts.sent
  return { title, content: message(title, [text, again]) }
}
