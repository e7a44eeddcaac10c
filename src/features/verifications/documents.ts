/** The kinds of this room. Nobody looks for their documents: everyone who needs one knows its id. */
import { kind } from '../../store/index.ts'
import { verification } from './decider.ts'
import { attemptsDecider } from './decisions/attempts.ts'
import type { Purpose } from './events.ts'
import { attemptsEvents, verificationEvents } from './events.ts'
import { verificationRefusals } from './refusals.ts'

export const verifications = kind({
  name: 'verification',
  version: 1,
  events: verificationEvents,
  decider: verification,
  refusals: verificationRefusals,
  fields: {},
  isGone: (state) => state.status === 'removed',
})

/** Where the code of a user for a purpose lives. A purpose has no slash in it, so that no two users share a place. */
export function verificationId(userId: string, purpose: Purpose): string {
  return `${userId}/${purpose}`
}

/** The id is the user's. */
export const attempts = kind({
  name: 'attempts',
  version: 1,
  events: attemptsEvents,
  decider: attemptsDecider,
  refusals: verificationRefusals,
  fields: {},
  isGone: (state) => state.isRemoved,
})
