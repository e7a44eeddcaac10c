/** Removes users, and the data that other modules store for them. */

import { eachAtOnce } from '../../../kernel/each-at-once.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import { removeAsset } from '../../assets/index.ts'
import { users } from '../documents.ts'
import type { User } from '../state.ts'

/** Removes a user as part of a write, with what modules store for this user. */
export async function removeUserIn(app: App, work: Work, userId: string): Promise<Document<User>> {
  await app.lifecycle.whenUserRemoved(app, work, userId)
  const before = (await work.get(users, userId))?.state
  if (before !== undefined && 'avatar' in before && before.avatar !== undefined) await removeAsset(work, before.avatar)
  return work.decide(users, userId, { type: 'remove' })
}

/** Removes a user and all data that modules store for this user; `check` can refuse it in the same write. */
export async function removeUser(
  app: App,
  origin: Origin,
  userId: string,
  check?: (work: Work) => Promise<void>,
): Promise<Written<Document<User>>> {
  const written = await app.store.write(origin, async (work) => {
    await check?.(work)
    return removeUserIn(app, work, userId)
  })
  // Removes data that was added during the removal. Nothing can be added from here on, because adding requires that the
  // user exists.
  await app.store.write(origin, (work) => app.lifecycle.whenUserRemoved(app, work, userId))
  return written
}

/** More of them would delay the requests of others. */
const COMMITS_AT_ONCE = 4

/** Removes up to `limit` users of a removed organization, and returns how many it removed. */
export async function removeUsersOf(app: App, organizationId: string, origin: Origin, limit: number): Promise<number> {
  const where = { field: 'owner', equals: organizationId } as const
  const ids = await app.store.findIds(users, where, limit)
  const remove = (id: string) =>
    app.store.write(origin, async (work) => {
      if ((await work.get(users, id)) !== undefined) await removeUserIn(app, work, id)
    })
  await eachAtOnce(ids, remove, COMMITS_AT_ONCE)
  return ids.length
}
