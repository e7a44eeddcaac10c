/** Writes a checked and hashed password: of a new user, or in place of another one. */
import { randomBytes } from 'node:crypto'
import { expectCheckMilliseconds } from '../../../crypto/passwords/index.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import { mailNotice } from '../../messages/index.ts'
import { tellsPasswordChange } from '../../settings/index.ts'
import { type HumanUser, readHuman, users } from '../../users/index.ts'
import { cancelCode, resetFailures } from '../../verifications/index.ts'
import type { Password } from '../decider.ts'
import { passwords } from '../documents.ts'

export interface HashedPassword {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly hash: string
  readonly changeRequired: boolean
  /** When it was set; if not given, now. */
  readonly setAt?: Instant | undefined
}

/** Checks up to this long are covered by the usual delay of refusals, also on a slow machine. */
const USUAL_MILLISECONDS = 150

function slowness(hash: string): { readonly slowMilliseconds?: number } {
  const slowMilliseconds = Math.ceil(expectCheckMilliseconds(hash))
  return slowMilliseconds > USUAL_MILLISECONDS ? { slowMilliseconds } : {}
}

/** Sets the password of a user as part of a write. `hash` comes from `preparePassword`. */
export function setPassword(
  work: Work,
  { userId, owner, hash, changeRequired, setAt }: HashedPassword,
): Promise<Document<Password>> {
  const command = { type: 'set', hash, changeRequired, ...slowness(hash), at: setAt ?? work.origin.at } as const
  return work.decide(passwords, userId, command, owner)
}

/** Takes over the password that a user has in another product now, as part of a write. */
export async function followPassword(app: App, work: Work, password: HashedPassword): Promise<void> {
  const { userId, hash, changeRequired } = password
  const before = (await work.get(passwords, userId))?.state
  const isSame = before?.status === 'set' && before.secret.hash === hash && before.changeRequired === changeRequired
  if (isSame) return
  await setPassword(work, password)
  await cancelCode(work, userId, 'password_reset')
  await app.lifecycle.whenPasswordChanged(app, work, userId, undefined)
}

export interface ReplacingPassword extends Pick<HashedPassword, 'hash' | 'changeRequired'> {
  /** The session in which the user sets it, which stays; the others end. */
  readonly keptSessionId?: string | undefined
}

/**
 * Replaces the password of a user as part of a write. Also ends the code to reset it and the user's other sessions, resets
 * the count of wrong ones, and finishes the set-up of a new user. A user who had a password before is told by mail.
 */
export async function replacePassword(
  app: App,
  work: Work,
  user: Document<HumanUser>,
  { hash, changeRequired, keptSessionId }: ReplacingPassword,
): Promise<void> {
  const { id: userId, owner } = user
  const before = (await work.get(passwords, userId))?.state
  await setPassword(work, { userId, owner, hash, changeRequired })
  await cancelCode(work, userId, 'password_reset')
  await resetFailures(work, userId, 'password')
  await app.lifecycle.whenPasswordChanged(app, work, userId, keptSessionId)
  if (user.state.needsSetUp) await work.decide(users, userId, { type: 'finish_set_up' })
  const tells = before?.status === 'set' && (await tellsPasswordChange(app, { userId, organizationId: owner }, work))
  if (tells) await mailNotice(app, work, 'password_changed', user)
}

/**
 * Replaces the password of a user, if they have one, by one that no person knows; for users who now sign in otherwise.
 * Returns the function that does it as part of a write, because hashing takes long.
 */
export async function disablePassword(app: App, userId: string): Promise<(work: Work) => Promise<void>> {
  const hash = await app.hashing.hash(randomBytes(32).toString('base64url'))
  return async (work) => {
    if ((await work.get(passwords, userId))?.state.status !== 'set') return
    await replacePassword(app, work, await readHuman(work, userId), { hash, changeRequired: false })
  }
}

/** Removes the password of a user in the commit that removes the user. Does nothing when there is none. */
export async function removePassword(work: Work, userId: string): Promise<void> {
  if (await work.get(passwords, userId)) await work.decide(passwords, userId, { type: 'remove' })
}
