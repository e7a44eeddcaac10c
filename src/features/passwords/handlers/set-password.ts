/** Writes a checked and hashed password: of a new user, or in place of another one. */
import type { App } from '../../../access/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { mailNotice } from '../../messages/index.ts'
import { type HumanUser, users } from '../../users/index.ts'
import { cancelCode, unlockAttempts } from '../../verifications/index.ts'
import type { Password } from '../decider.ts'
import { passwords } from '../documents.ts'

export interface HashedPassword {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly hash: string
  readonly changeRequired: boolean
}

/** Sets the password of a user as part of a write. `hash` comes from `preparePassword`. */
export function setPassword(
  work: Work,
  { userId, owner, hash, changeRequired }: HashedPassword,
): Promise<Document<Password>> {
  return work.decide(passwords, userId, { type: 'set', hash, changeRequired, at: work.origin.at }, owner)
}

/**
 * Replaces the password of a user as part of a write. Also invalidates the reset code, resets the failure count, and
 * completes the setup of a new user. Notifies a user who had a password before by email.
 */
export async function replacePassword(
  app: App,
  work: Work,
  user: Document<HumanUser>,
  { hash, changeRequired }: Pick<HashedPassword, 'hash' | 'changeRequired'>,
): Promise<void> {
  const { id: userId, owner } = user
  const before = (await work.get(passwords, userId))?.state
  await setPassword(work, { userId, owner, hash, changeRequired })
  await cancelCode(work, userId, 'password_reset')
  await unlockAttempts(work, userId)
  if (user.state.needsSetUp) await work.decide(users, userId, { type: 'finish_set_up' })
  if (before?.status === 'set') await mailNotice(app, work, 'password_changed', user)
}

/** Removes the password of a user in the commit that removes the user. Does nothing when there is none. */
export async function removePassword(work: Work, userId: string): Promise<void> {
  if (await work.get(passwords, userId)) await work.decide(passwords, userId, { type: 'remove' })
}
