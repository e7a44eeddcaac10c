/** The kinds `verification` and `attempts`. Codes are read only by ID. */
import type { Instant } from '../../kernel/instant.ts'
import { type Filter, kind } from '../../store/index.ts'
import { endingsOf } from '../generations/index.ts'
import { verification } from './decider.ts'
import { attemptsDecider } from './decisions/attempts.ts'
import { attemptsEvents, type Purpose, verificationEvents } from './events.ts'
import { verificationRefusals } from './refusals.ts'

export const verifications = kind({
  name: 'verification',
  ids: { joined: ['user', 'purpose'] },
  waits: { endsWith: ['user', 'organization'] },
  path: false,
  version: 3,
  events: verificationEvents,
  decider: verification,
  refusals: verificationRefusals,
  fields: {},
  isGone: (state) => state.isRemoved,
})

/** What ends a code: whoever was sent one before a lockout has it still, but it does not count when that is undone. */
export const codeEndings = endingsOf(verifications)

/** The ID of the codes of a user for a purpose. A purpose contains no slash, so that two users never share an ID. */
export function verificationId(userId: string, purpose: Purpose): string {
  return `${userId}/${purpose}`
}

/** The id is that of the user. */
export const attempts = kind({
  name: 'attempts',
  ids: { of: 'user' },
  waits: false,
  path: false,
  version: 3,
  personal: { by: 'id' },
  events: attemptsEvents,
  decider: attemptsDecider,
  refusals: verificationRefusals,
  fields: { lockedUntil: { path: ['lockedUntil'], type: 'number' } },
  isGone: (state) => state.isRemoved,
})

/** The users with a lock that is not over yet, as a condition on the id of a user. */
export function lockedAt(at: Instant): Filter<never> {
  return { field: 'id', among: { kind: attempts, field: 'id', where: { field: 'lockedUntil', above: at }, few: true } }
}
