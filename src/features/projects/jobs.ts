/** Removes what belonged to removed projects, roles and grants, in small commits. */

import type { App, WithdrawnRoles } from '../../module/app.ts'
import type { JobGroup } from '../../module/module.ts'
import { findProjectRole, readProjectGrant } from './documents.ts'
import { PROJECT_REMOVED, removeContents } from './remove-contents.ts'
import { AT_ONCE, ROLES_WITHDRAWN, withdrawAll } from './withdraw-roles.ts'

/** The roles that are still withdrawn: one that was added or granted again meanwhile is not. */
async function stillWithdrawn(app: App, { projectId, grantId, roleKeys }: WithdrawnRoles): Promise<WithdrawnRoles> {
  if (roleKeys === 'all') return { projectId, ...(grantId !== undefined && { grantId }), roleKeys }
  if (grantId !== undefined) {
    const granted = (await readProjectGrant(app, grantId))?.state.roleKeys ?? []
    return { projectId, grantId, roleKeys: roleKeys.filter((key) => !granted.includes(key)) }
  }
  const absent: string[] = []
  for (const key of roleKeys) {
    if ((await findProjectRole(app, projectId, key)) === undefined) absent.push(key)
  }
  return { projectId, roleKeys: absent }
}

/** The jobs of this module. After a crash, a job continues where it stopped. */
export function projectJobs(app: App): JobGroup {
  const origin = () => ({ actor: 'server', at: app.clock() }) as const
  return {
    handlers: {
      async [PROJECT_REMOVED]({ data, signal }) {
        const { projectId } = data as { readonly projectId: string }
        for (let removed = 1; removed > 0; ) {
          signal.throwIfAborted()
          const { value } = await app.store.write(origin(), (work) => removeContents(app, work, projectId, AT_ONCE))
          removed = value || (await app.lifecycle.whenProjectRemoved(app, projectId, origin(), AT_ONCE))
        }
      },
      async [ROLES_WITHDRAWN]({ data, signal }) {
        const withdrawn = await stillWithdrawn(app, data as WithdrawnRoles)
        if (withdrawn.roleKeys.length > 0) await withdrawAll(app, withdrawn, origin, signal)
      },
    },
  }
}
