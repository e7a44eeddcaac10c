/** Deactivates and reactivates, locks and unlocks users. */
import { actingUser } from '../../../kernel/actor.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Arriving } from '../../../module/carried.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import { unlockAttempts } from '../../verifications/index.ts'
import { users } from '../documents.ts'
import { userRefusals } from '../refusals.ts'
import { isDeactivated, isLiving, type LivingUser, type User, type UserStatus } from '../state.ts'
import { decideUser } from './managed.ts'

/** The state that a user had in another product, in the commit that adds the user. */
export async function importState(app: App, work: Work, userId: string, state: UserStatus): Promise<void> {
  if (state !== 'inactive' && state !== 'locked') return
  await app.lifecycle.beforeUserLockedOut(app, work, userId)
  await decideUser(work, userId, { type: state === 'locked' ? 'lock' : 'deactivate' })
}

async function followState(app: App, work: Work, userId: string, wanted: UserStatus): Promise<void> {
  const status = async () => (await work.get(users, userId))?.state.status
  const before = await status()
  if (before === wanted) return
  if (before === 'inactive') await decideUser(work, userId, { type: 'reactivate' })
  if (before === 'locked' && wanted !== 'inactive') {
    await work.decide(users, userId, { type: 'unlock', hadFailed: await unlockAttempts(work, userId) })
  }
  // Who is active here and was never set up there, stays active.
  if (wanted === 'active' && (await status()) === 'initial') {
    await work.decide(users, userId, { type: 'finish_set_up' })
  }
  if (wanted !== 'inactive' && wanted !== 'locked') return
  await importState(app, work, userId, wanted)
  await app.lifecycle.whenUserLockedOut(app, work, userId)
}

/**
 * Puts a user who arrives, in the state that they have there. Who may act again gets it first, who may no longer loses it last:
 * much can be changed only of active users.
 */
export async function putInState(
  { app, work, id }: Pick<Arriving<unknown>, 'app' | 'work' | 'id'>,
  state: UserStatus,
  before: LivingUser | undefined,
  put: () => Promise<void>,
): Promise<void> {
  const isOpen = state === 'active' || state === 'initial'
  if (before !== undefined && isOpen) await followState(app, work, id, state)
  await put()
  if (before === undefined) await importState(app, work, id, state)
  else if (!isOpen) await followState(app, work, id, state)
}

export type StateChange = 'deactivate' | 'reactivate' | 'lock' | 'unlock'

/**
 * Changes the state of a user as part of a write. Nobody locks out themselves, because they could not undo it. Modules can
 * refuse to lock out a user as well, such as the last owner of the instance.
 */
async function changeStateIn(app: App, work: Work, userId: string, type: StateChange): Promise<Document<User>> {
  const locksOut = type === 'deactivate' || type === 'lock'
  if (locksOut) {
    if (actingUser(work.origin.actor) === userId) throw refused(userRefusals, 'user.own_access')
    await app.lifecycle.beforeUserLockedOut(app, work, userId)
  }
  // Wrong attempts lock a user as well: unlocking ends both.
  const command = type === 'unlock' ? { type, hadFailed: await unlockAttempts(work, userId) } : { type }
  const changed = await decideUser(work, userId, command)
  if (locksOut) await app.lifecycle.whenUserLockedOut(app, work, userId)
  return changed
}

/** For requests that describe the desired state, as part of a write. What is locked stays locked. */
export async function setActive(app: App, work: Work, userId: string, isActive: boolean): Promise<void> {
  const user = await work.get(users, userId)
  if (user === undefined || !isLiving(user.state) || isDeactivated(user.state) !== isActive) return
  await changeStateIn(app, work, userId, isActive ? 'reactivate' : 'deactivate')
}

/** Changes the state of a user. */
export function changeState(
  app: App,
  origin: Origin,
  userId: string,
  type: StateChange,
): Promise<Written<Document<User>>> {
  return app.store.write(origin, (work) => changeStateIn(app, work, userId, type))
}
