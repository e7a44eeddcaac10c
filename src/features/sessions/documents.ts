/** The kinds of this room. Documents of sessions hold hashes of tokens; only this room reads them. */
import { kind, removalKind } from '../../store/index.ts'
import { session } from './decider.ts'
import type { SessionRetirementEvent } from './events.ts'
import { sessionEvents } from './events.ts'
import { sessionRefusals } from './refusals.ts'

/**
 * An ended session has none of these fields, so that nobody who looks for sessions finds it. Creators and user agents
 * are asked for so rarely that an index is not worth what it costs every sign-in; whether it was seen to have expired is
 * only asked of those found by another field.
 */
export const sessions = kind({
  name: 'session',
  version: 2,
  events: sessionEvents,
  decider: session,
  refusals: sessionRefusals,
  fields: {
    userId: { path: ['user', 'id'], type: 'text' },
    organizationId: { path: ['user', 'organizationId'], type: 'text' },
    creatorId: { path: ['creatorId'], type: 'text', indexed: false },
    fingerprintId: { path: ['userAgent', 'fingerprintId'], type: 'text', indexed: false },
    endsAt: { path: ['endsAt'], type: 'number' },
    seenExpiredAt: { path: ['seenExpiredAt'], type: 'number', indexed: false },
  },
  removable: true,
})

/** A name by which sessions can be filtered. */
export type SessionField = keyof typeof sessions.fields & string

/** Says which sessions have left the log. */
export const sessionRetirements = removalKind<SessionRetirementEvent['type']>(
  'session-retirement',
  'session.retired.v1',
)
