/** When sessions that are over leave the log. */
import type { Leaving, Store } from '../../store/index.ts'
import { sessionRetirements, sessions } from './documents.ts'
import type { Session } from './state.ts'

/** When a session was, or will be, over. */
function endOf(session: Session): number {
  return session.status === 'open' ? session.endsAt : session.status === 'ended' ? session.endedAt : 0
}

/** Expired ones are found by their index, ended ones by the event that says so. */
async function findOver(store: Store, over: number, limit: number): Promise<readonly string[]> {
  const where = { field: 'endsAt', atMost: over } as const
  const { documents } = await store.find(sessions, { where, orderBy: 'endsAt', limit })
  if (documents.length > 0) return documents.map(({ id }) => id)
  // In the order of the log: once one is too young, so are all that follow.
  const ended = await store.events({ kinds: [sessions.name], types: ['session.ended.v1'], limit })
  return ended.filter(({ at }) => at <= over).map(({ id }) => id)
}

/** Sessions leave this long after their end. */
export function leavingSessions(retentionMs: number): Leaving<Session> {
  return {
    kind: sessions,
    records: sessionRetirements,
    retentionMs,
    atOnce: 200,
    findOver,
    isOver: ({ state }, over) => endOf(state) <= over,
  }
}
