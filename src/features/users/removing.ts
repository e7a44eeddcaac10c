/** Removing a user, and with it whatever other rooms keep for that user. */
import type { Document, Origin, Store, Work, Written } from '../../store/index.ts'
import { users } from './documents.ts'
import type { User } from './state.ts'

/**
 * What another room removes together with a user, in the same commit. It runs a second time after the commit, for what
 * somebody added while the user was being removed, and must then do nothing when nothing is left.
 */
export type WhenRemoved = (work: Work, userId: string) => Promise<void>

/** Removes a user and everything that `steps` remove. */
export async function removeUser(
  store: Store,
  origin: Origin,
  userId: string,
  steps: readonly WhenRemoved[],
): Promise<Written<Document<User>>> {
  const runSteps = async (work: Work): Promise<void> => {
    for (const step of steps) await step(work, userId)
  }
  const written = await store.write(origin, async (work) => {
    await runSteps(work)
    return work.decide(users, userId, { type: 'remove' })
  })
  // From here on nobody can add anything: whoever does must find the user alive.
  if (steps.length > 0) await store.write(origin, runSteps)
  return written
}
