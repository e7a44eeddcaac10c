/** Users delete their own account, where the settings allow it: asked for now, done in seven days, cancelled until then. */

import { instant } from '../../../kernel/instant.ts'
import { isTemporary, Refused, refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { JobGroup } from '../../../module/module.ts'
import type { Document, Work } from '../../../store/index.ts'
import { securitySettings } from '../../settings/index.ts'
import { attempt, type Done, type Person } from '../../sign-in/index.ts'
import {
  DELETION_JOB,
  type Deletion,
  isLiving,
  noteDeletion,
  readActiveHuman,
  removeUser,
  type User,
  users,
} from '../../users/index.ts'
import { accountRefusals } from '../refusals.ts'
import { ownOrigin } from './change-own-account.ts'

const DELAY_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Asks for the deletion of a user by themself, as part of a write. Throws for the last owner of the instance, who must not
 * lock everyone out.
 */
export async function requestDeletion(app: App, work: Work, userId: string): Promise<Document<User>> {
  if ((await securitySettings(app, work)).allowsSelfDeletion !== true) {
    throw refused(accountRefusals, 'account.deletion_not_allowed')
  }
  const user = await readActiveHuman(work, userId)
  if (user.state.deletion !== undefined) return user
  await app.lifecycle.beforeUserLockedOut(app, work, userId)
  const { at } = work.origin
  return noteDeletion(work, userId, { requestedAt: at, dueAt: instant(at + DELAY_MS) })
}

/** Asks for the deletion on the account page. */
export function requestOwnDeletion(app: App, person: Person): Promise<Done> {
  return attempt(() => app.store.write(ownOrigin(app, person), (work) => requestDeletion(app, work, person.userId)))
}

/** Cancels the deletion. */
export function cancelOwnDeletion(app: App, person: Person): Promise<Done> {
  return attempt(() =>
    app.store.write(ownOrigin(app, person), (work) => work.decide(users, person.userId, { type: 'cancel_deletion' })),
  )
}

async function deleteAccount(app: App, { userId, dueAt }: Deletion): Promise<void> {
  const state = (await app.store.get(users, userId))?.state
  const isAsked = state !== undefined && isLiving(state) && state.type === 'human' && state.deletion?.dueAt === dueAt
  if (!isAsked) return
  const origin = { actor: 'server', at: app.clock() } as const
  try {
    await removeUser(app, origin, userId)
  } catch (error) {
    if (!(error instanceof Refused) || isTemporary(error)) throw error
    // They became the last owner meanwhile, and stay.
    await app.store.write(origin, (work) => work.decide(users, userId, { type: 'cancel_deletion' }))
  }
}

/** The jobs that delete accounts. */
export function deletionJobs(app: App): JobGroup {
  return { handlers: { [DELETION_JOB]: (job) => deleteAccount(app, job.data as Deletion) } }
}
