/** After an organization was removed: removes what modules keep for it, in small commits. */
import type { App } from '../../access/app.ts'
import type { JobGroup } from '../../access/module.ts'
import { SYSTEM_ACTOR } from '../../kernel/actor.ts'

export const ORGANIZATION_REMOVED = 'organization.removed'

const BATCH = 100

/** The jobs of this module. Run again after a crash, a job goes on where it stopped. */
export function organizationJobs(app: App): JobGroup {
  return {
    handlers: {
      async [ORGANIZATION_REMOVED]({ data, signal }) {
        const { organizationId } = data as { readonly organizationId: string }
        for (let removed = 1; removed > 0; ) {
          signal.throwIfAborted()
          const origin = { actor: SYSTEM_ACTOR, at: app.clock() }
          removed = await app.lifecycle.organizationRemoved(app, organizationId, origin, BATCH)
        }
      },
    },
  }
}
