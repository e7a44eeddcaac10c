/** Writing a password: for somebody new, and for somebody who may have had one. */
import type { Instant } from '../../kernel/instant.ts'
import type { Document, Store, Work } from '../../store/index.ts'
import { type HumanUser, users } from '../users/index.ts'
import { cancelCode, unlockAttempts } from '../verifications/index.ts'
import type { Password } from './decider.ts'
import { passwords } from './documents.ts'
import type { PasswordsNeeds } from './needs.ts'

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
 * Replaces the password of a person as part of a write, and with it all that hung on the old one: codes to reset it,
 * the count of wrong ones, a set-up that waited for it. Who had one before is told by mail.
 */
export async function replacePassword(
  { messages }: Pick<PasswordsNeeds, 'messages'>,
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
  if (before?.status === 'set') await messages.mailNotice(work, 'password_changed', user)
}

/** Removes the password of a user in the commit that removes the user; does nothing when there is none. */
export async function removePassword(work: Work, userId: string): Promise<void> {
  if (await work.get(passwords, userId)) await work.decide(passwords, userId, { type: 'remove' })
}

/** What may be known about a password. */
export interface PasswordFacts {
  readonly changeRequired: boolean
  readonly changedAt: Instant
}

/** What may be known about the passwords of users; those without one are left out. */
export async function passwordFacts(
  store: Store,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, PasswordFacts>> {
  const [first] = userIds
  if (first === undefined) return new Map()
  // One person is asked for all the time, and by id that costs a fraction of a query.
  const only = userIds.length === 1 ? await store.get(passwords, first) : undefined
  const documents =
    userIds.length === 1
      ? [only].filter((document) => document !== undefined)
      : (await store.find(passwords, { where: { field: 'id', in: userIds }, limit: userIds.length })).documents
  return new Map(
    documents.flatMap(({ id, state }) => {
      if (state.status !== 'set') return []
      const { changeRequired, changedAt } = state
      return [[id, { changeRequired, changedAt }] as const]
    }),
  )
}

/** Tells whether a user can sign in with a password. */
export function findPasswordMethod(store: Store) {
  return async (userId: string): Promise<readonly 'password'[]> =>
    (await store.get(passwords, userId))?.state.status === 'set' ? ['password'] : []
}
