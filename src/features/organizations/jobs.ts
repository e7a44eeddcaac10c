/** Removes the data of a removed organization in small commits. */

import type { App } from '../../module/app.ts'
import type { JobGroup } from '../../module/module.ts'

export const ORGANIZATION_REMOVED = 'organization.removed'

const BATCH = 100

/** The jobs of this module. After a crash, a job continues where it stopped. */
export function organizationJobs(app: App): JobGroup {
  return {
    handlers: {
      async [ORGANIZATION_REMOVED]({ data, signal }) {
        const { organizationId } = data as { readonly organizationId: string }
        for (let removed = 1; removed > 0; ) {
          signal.throwIfAborted()
          const origin = { actor: 'server', at: app.clock() } as const
          removed = await app.lifecycle.whenOrganizationRemoved(app, organizationId, origin, BATCH)
        }
      },
    },
  }
}
