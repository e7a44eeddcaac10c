/** What this room does when a user is removed. */
import type { Store } from '../../store/index.ts'
import type { WhenRemoved } from '../users/index.ts'
import { endSession } from './changing.ts'
import { sessions } from './documents.ts'

const AT_ONCE = 1000

/** Ends the sessions of a user in the commit that removes the user; does nothing when none is open. */
export function endSessionsOf(store: Store): WhenRemoved {
  return async (work, userId) => {
    const where = { field: 'userId', equals: userId } as const
    for (let offset = 0, more = true; more; offset += AT_ONCE) {
      const { documents } = await store.find(sessions, { where, orderBy: 'id', limit: AT_ONCE, offset })
      for (const { id } of documents) {
        // Somebody may have ended it since it was found.
        const session = await work.get(sessions, id)
        if (session?.state.status === 'open') await endSession(work, id, 'user_removed')
      }
      more = documents.length === AT_ONCE
    }
  }
}
