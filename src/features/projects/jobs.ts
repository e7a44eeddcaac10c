/** Removes what modules keep for a removed project, in small commits. */
import type { App } from '../../access/app.ts'
import type { JobGroup } from '../../access/module.ts'
import { SYSTEM_ACTOR } from '../../kernel/actor.ts'

/** The write that removes a project enqueues this job with `{ projectId }`. */
export const PROJECT_REMOVED = 'project.removed'

const BATCH = 100

/** The jobs of this module. After a crash, a job continues where it stopped. */
export function projectJobs(app: App): JobGroup {
  return {
    handlers: {
      async [PROJECT_REMOVED]({ data, signal }) {
        const { projectId } = data as { readonly projectId: string }
        for (let removed = 1; removed > 0; ) {
          signal.throwIfAborted()
          const origin = { actor: SYSTEM_ACTOR, at: app.clock() }
          removed = await app.lifecycle.projectRemoved(app, projectId, origin, BATCH)
        }
      },
    },
  }
}
