/**
 * How many queues run at once. Those whose destination fails or is slow take no place from the others, and the destinations of
 * one owner leave places to those of everybody else: receivers that answer late only hold up their own organization.
 */
import { instant } from '../../kernel/instant.ts'
import { Places } from '../../kernel/share.ts'
import { type App, perApp } from '../../module/app.ts'
import type { RunAgain } from '../../store/index.ts'
import { FAILING, QUEUE, SLOW } from './names.ts'

/** Queues of one lane that a process runs at once: half of them of one owner, while others want some, too. */
export const AT_ONCE = 32

/** The kinds of jobs that have runners of their own. */
export type Lane = typeof QUEUE | typeof SLOW | typeof FAILING

/** How long a queue waits until its owner may have a place again. */
const WITHOUT_PLACE_MS = 1_000

const placesOf = perApp(() => ({
  [QUEUE]: new Places(AT_ONCE),
  [SLOW]: new Places(AT_ONCE),
  [FAILING]: new Places(AT_ONCE),
}))

/** Takes a place in a lane; undefined when the owner has its share. */
export function takePlace(app: App, lane: Lane, owner: string): (() => void) | undefined {
  return placesOf(app)[lane].take(owner)
}

/** A queue without a place waits among the slow ones, and there for its turn. */
export function withoutPlace({ clock }: App, lane: Lane): RunAgain {
  const now = clock()
  return lane === QUEUE ? { kind: SLOW, dueAt: now } : { kind: lane, dueAt: instant(now + WITHOUT_PLACE_MS) }
}
