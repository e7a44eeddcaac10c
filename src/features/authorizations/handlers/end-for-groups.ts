/** Ends what users had through groups: when they leave one, and when an authorization of one ends. */

import { eachAtOnce } from '../../../kernel/each-at-once.ts'
import type { App } from '../../../module/app.ts'
import type { JobGroup } from '../../../module/module.ts'
import type { Origin, Work } from '../../../store/index.ts'
import { groupMembers } from '../../groups/index.ts'
import { authorizations, findAuthorization } from '../documents.ts'
import { type EndedAuthorization, endedOf, endFor, GROUP_AUTHORIZATION_ENDED } from './change-authorization.ts'

/** How many users of a group one commit is about. */
const AT_ONCE = 100

/** Ends what users could do by the authorizations of a group that they leave, in the commit that removes them from it. */
export async function endForLeavers(app: App, work: Work, groupId: string, userIds: readonly string[]): Promise<void> {
  // Also those that are deactivated: the job that ends what they gave may not have reached these users.
  for (const id of await app.store.findIds(authorizations, { field: 'groupId', equals: groupId })) {
    const authorization = await findAuthorization(app, id, work)
    if (authorization === undefined) continue
    const ended = endedOf(id, authorization.state)
    await eachAtOnce(userIds, (userId) => endFor(app, work, userId, ended))
  }
}

/** Removes up to `limit` authorizations of a removed group; answers how many. Its users were removed from it before. */
export async function removeAuthorizationsOfGroup(
  app: App,
  groupId: string,
  origin: Origin,
  limit: number,
): Promise<number> {
  const ids = await app.store.findIds(authorizations, { field: 'groupId', equals: groupId }, limit)
  if (ids.length === 0) return 0
  await app.store.write(origin, async (work) => {
    for (const id of ids) await work.decide(authorizations, id, { type: 'remove' })
  })
  return ids.length
}

/** The jobs of this module. */
export function authorizationJobs(app: App): JobGroup {
  return {
    handlers: {
      async [GROUP_AUTHORIZATION_ENDED]({ data, signal }) {
        const { groupId, ...ended } = data as EndedAuthorization & { readonly groupId: string }
        const ofGroup = { field: 'groupId', equals: groupId } as const
        const userIds = (await app.store.findValues(groupMembers, ofGroup, 'userId')).map(String)
        for (let from = 0; from < userIds.length; from += AT_ONCE) {
          signal.throwIfAborted()
          const some = userIds.slice(from, from + AT_ONCE)
          await app.store.write({ actor: 'server', at: app.clock() }, (work) =>
            eachAtOnce(some, (userId) => endFor(app, work, userId, ended)),
          )
        }
      },
    },
  }
}
