/** When sessions that are over leave the log. */
import type { Retention, Store } from '../../store/index.ts'
import { sessionRetirements, sessions } from './documents.ts'
import type { Session } from './state.ts'

/** When a session was, or will be, over. */
function endOf(session: Session): number {
  return session.status === 'open' ? session.endsAt : session.status === 'ended' ? session.endedAt : 0
}

/** Expired ones are found by their index, ended ones by the event that says so. */
async function findEnded(store: Store, endedBy: number, limit: number): Promise<readonly string[]> {
  const where = { field: 'endsAt', atMost: endedBy } as const
  const { documents } = await store.find(sessions, { where, orderBy: 'endsAt', limit })
  if (documents.length > 0) return documents.map(({ id }) => id)
  // In the order of the log: once one is too young, so are all that follow.
  const ended = await store.events({ kinds: [sessions.name], types: ['session.ended.v1'], limit })
  return ended.filter(({ at }) => at <= endedBy).map(({ id }) => id)
}

/** Sessions leave this long after their end. */
export function leavingSessions(retentionMs: number): Retention<Session> {
  return {
    kind: sessions,
    records: sessionRetirements,
    retentionMs,
    batchSize: 200,
    findEnded,
    hasEnded: ({ state }, endedBy) => endOf(state) <= endedBy,
  }
}
