/** Letting users in and keeping them out: deactivating, locking and back, in whichever service's words. */
import type { Document, Origin, Written } from '../../store/index.ts'
import { unlockAttempts } from '../verifications/index.ts'
import { users } from './documents.ts'
import type { UsersNeeds } from './needs.ts'
import type { User } from './state.ts'

export type StateChange = 'deactivate' | 'reactivate' | 'lock' | 'unlock'

/** Changes the state of a user. Who is kept out must not be the last who could let anybody in. */
export function changeState(
  { store, beforeLockedOut }: UsersNeeds,
  origin: Origin,
  userId: string,
  type: StateChange,
): Promise<Written<Document<User>>> {
  return store.write(origin, async (work) => {
    // Wrong attempts lock as well: who unlocks a user means both.
    const hadFailed = type === 'unlock' && (await unlockAttempts(work, userId))
    const before = await work.get(users, userId)
    if (hadFailed && before !== undefined && before.state.status !== 'locked') return before
    const changed = await work.decide(users, userId, { type })
    if (type === 'deactivate' || type === 'lock') for (const ask of beforeLockedOut) await ask(work, userId)
    return changed
  })
}
