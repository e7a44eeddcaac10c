/** Removes what belonged to removed groups, in small commits. */

import type { App } from '../../module/app.ts'
import type { JobGroup } from '../../module/module.ts'
import { GROUP_REMOVED } from './handlers/change-group.ts'
import { AT_ONCE, removeSomeMembers } from './handlers/change-members.ts'
import { removeSomeEntries } from './handlers/set-metadata.ts'

/** The jobs of this module. After a crash, a job continues where it stopped. */
export function groupJobs(app: App): JobGroup {
  return {
    handlers: {
      async [GROUP_REMOVED]({ data, signal }) {
        const { groupId } = data as { readonly groupId: string }
        for (let removed = 1; removed > 0; ) {
          signal.throwIfAborted()
          const origin = { actor: 'server', at: app.clock() } as const
          // The members first: what they had through the group is found by its roles.
          removed =
            (await removeSomeMembers(app, groupId, origin)) ||
            (await app.lifecycle.whenGroupRemoved(app, groupId, origin, AT_ONCE)) ||
            (await removeSomeEntries(app, groupId, origin, AT_ONCE))
        }
      },
    },
  }
}
