/**
 * Shares of sign-ins that were started and have not succeeded. Each is stored for a day, and anybody can start one, so whoever
 * does not finish them runs out of theirs, and not of the storage of all.
 */
import type { Call } from '../../access/call.ts'
import { refused } from '../../kernel/refusal.ts'
import { type Owners, openAttempts } from '../../kernel/share.ts'
import { SizedCache } from '../../kernel/sized-cache.ts'
import { type App, perApp } from '../../module/app.ts'
import { intentRefusals } from './refusals.ts'

const WINDOW_MS = 10 * 60_000

/** How many sign-ins are started and not finished in ten minutes. */
const LIMITS = {
  /** From one address of the network, which a whole office can share. */
  visitor: 600,
  /** By a user without a role. */
  user: 60,
  /** By a user with a role: login pages of an organization start them for its people. */
  administrator: 600,
} as const

type Level = keyof typeof LIMITS

/** Who starts a sign-in. Login clients of the instance start them for everybody, so they have no share. */
export type Starter = { readonly level: Level; readonly owners: Owners } | 'login client'

/** A visitor of a hosted page, by the source of the request. */
export function visitorFrom(source: string): Starter {
  return { level: 'visitor', owners: [source] }
}

/** The caller of a method. */
export function startedBy(call: Call, instanceId: string): Starter {
  const { caller } = call
  if (call.may('session.write', instanceId)) return 'login client'
  return { level: caller.grants.length > 0 ? 'administrator' : 'user', owners: [caller.organizationId, caller.userId] }
}

/** The last starts, to give back the place of those that succeed on this node. */
const REMEMBERED = { characters: 4_000_000, longest: 1_000 }

const sharesOf = perApp(({ clock: now }) => {
  const of = (level: Level) => openAttempts({ now, limit: LIMITS[level], windowMs: WINDOW_MS })
  return {
    attempts: { visitor: of('visitor'), user: of('user'), administrator: of('administrator') },
    starters: new SizedCache<Exclude<Starter, string>>(REMEMBERED),
  }
})

/** Takes a place for a sign-in; throws when the starter has left too many unfinished. */
export function takeStart(app: App, starter: Starter, intentId: string): void {
  if (starter === 'login client') return
  const { attempts, starters } = sharesOf(app)
  if (!attempts[starter.level].take(...starter.owners)) {
    throw refused(intentRefusals, 'intent.too_many', { retryAfterSeconds: WINDOW_MS / 1000 })
  }
  starters.set(intentId, starter, starter.owners.join().length)
}

/** The sign-in succeeded: it does not count any more. */
export function giveStartBack(app: App, intentId: string): void {
  const { attempts, starters } = sharesOf(app)
  const starter = starters.get(intentId)
  if (starter === undefined) return
  starters.delete(intentId)
  attempts[starter.level].giveBack(...starter.owners)
}
