/**
 * The kinds of this module, and the retention of sessions. Their documents contain hashes of tokens; only this module
 * reads them.
 */
import { kind, type Retention, removalKind, type Store } from '../../store/index.ts'
import { MOST_METADATA, session } from './decider.ts'
import type { SessionRetirementEvent } from './events.ts'
import { sessionEvents } from './events.ts'
import { sessionRefusals } from './refusals.ts'
import type { Session } from './state.ts'

/** The claim on a challenge that a session was created with, which an ended session keeps. */
const CHALLENGE_CLAIM = 'session-challenge'

/** A challenge must have expired before the session that holds its claim is deleted, even if the clocks of nodes differ. */
const LEAST_RETENTION_MS = 3_600_000

/**
 * An ended session has none of these fields, so that no query finds it. Every filter of a list has an index, except
 * whether the expiry of a session was recorded: that is compared for sessions that another field has found. Lists are in
 * the order of creation; where a field may find many sessions, the time is in its index, too.
 */
export const sessions = kind({
  name: 'session',
  ids: 'own',
  waits: { endsWith: ['user', 'organization'] },
  path: false,
  version: 5,
  personal: { by: 'userId' },
  events: sessionEvents,
  decider: session,
  refusals: sessionRefusals,
  fields: {
    userId: { path: ['user', 'id'], type: 'text' },
    organizationId: { path: ['user', 'organizationId'], type: 'text' },
    creatorId: { path: ['creatorId'], type: 'text', beside: ['createdAt'] },
    fingerprintId: { path: ['userAgent', 'fingerprintId'], type: 'text', beside: ['createdAt'] },
    endsAt: { path: ['endsAt'], type: 'number', beside: ['createdAt'] },
    seenExpiredAt: { path: ['seenExpiredAt'], type: 'number', indexed: false },
  },
  claims: (state) =>
    state.status !== 'unknown' && state.answered !== undefined
      ? [
          {
            kind: CHALLENGE_CLAIM,
            within: { instance: 'It is made here at random.' },
            value: state.answered,
            taken: 'session.challenge_used',
          },
        ]
      : [],
  removable: true,
  limits: [
    {
      things: 'metadata keys',
      holder: 'a session',
      inside: (state) => (state.status === 'open' ? Object.keys(state.metadata).length : 0),
      number: MOST_METADATA,
    },
  ],
  // Metadata, and the headers of the user agent.
  largest: 524_288,
})

/** A name by which sessions can be filtered. */
export type SessionField = keyof typeof sessions.fields & string

/** Records which sessions were deleted from the log. */
export const sessionRetirements = removalKind<SessionRetirementEvent['type']>(
  'session-retirement',
  'session.retired.v1',
)

/** When a session ended or will expire. */
function endOf(session: Session): number {
  return session.status === 'open' ? session.endsAt : session.status === 'ended' ? session.endedAt : 0
}

/** Expired sessions are found by their index, ended ones by their event. */
async function findEnded(store: Store, endedBy: number, limit: number): Promise<readonly string[]> {
  const where = { field: 'endsAt', atMost: endedBy } as const
  const expired = await store.findIds(sessions, where, limit)
  if (expired.length > 0) return expired
  // In the order of the log: after the first one that is too recent, all others are too.
  const ended = await store.events({ kinds: [sessions.name], types: ['session.ended.v1'], limit })
  return ended.filter(({ at }) => at <= endedBy).map(({ id }) => id)
}

/** Deletes sessions from the log this long after their end, but at least an hour. */
export function sessionRetention(retentionMs: number): Retention<Session> {
  return {
    kind: sessions,
    records: sessionRetirements,
    retentionMs: Math.max(retentionMs, LEAST_RETENTION_MS),
    batchSize: 200,
    findEnded,
    hasEnded: ({ state }, endedBy) => endOf(state) <= endedBy,
  }
}
