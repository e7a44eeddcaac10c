/** Changes, deactivates, reactivates and removes authorizations. */

import type { Call } from '../../../access/call.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import { findProject } from '../../projects/index.ts'
import type { Authorization, LivingAuthorization } from '../decider.ts'
import { authorizations, findAuthorization } from '../documents.ts'
import { hasAuthorization } from '../held-roles.ts'
import { authorizationRefusals } from '../refusals.ts'
import { requireRoles } from './add-authorization.ts'

type WrittenAuthorization = Promise<Written<Document<Authorization>>>

async function requireAuthorization(app: App, work: Work, id: string): Promise<Document<LivingAuthorization>> {
  const document = await findAuthorization(app, id, work)
  if (document === undefined) throw refused(authorizationRefusals, 'authorization.not_found')
  return document
}

/** Replaces the roles. With `mustDiffer`, refused when the user has exactly these already. */
export function changeAuthorization(
  app: App,
  call: Call,
  id: string,
  roleKeys: readonly string[],
  mustDiffer: boolean,
): WrittenAuthorization {
  return app.store.write(call.origin, async (work) => {
    const { state } = await requireAuthorization(app, work, id)
    await requireRoles(app, work, state, roleKeys)
    return work.decide(authorizations, id, { type: 'change', roleKeys, mustDiffer })
  })
}

/** The job that ends what the users of a group could do by an authorization. */
export const GROUP_AUTHORIZATION_ENDED = 'authorization.group_ended'

/** An authorization that ends, or that a user of its group no longer has. */
export interface EndedAuthorization {
  readonly id: string
  readonly projectId: string
  /** Whether the organization of the project or that of the user gave it. */
  readonly isTheirs: boolean
}

/** What of an authorization decides how it ends. */
export function endedOf(id: string, state: LivingAuthorization): EndedAuthorization {
  const { projectId, organizationId, userOrganizationId, grantId } = state
  return { id, projectId, isTheirs: grantId === '' || organizationId === userOrganizationId }
}

/**
 * Ends what a user could do by an authorization. The organization of the project, and that of the user, end the user's
 * tokens there. Another one that was granted the project gave access only where the project requires an authorization and
 * the user has no second one: what it adds and takes away again must not end what it did not give.
 */
export async function endFor(app: App, work: Work, userId: string, ended: EndedAuthorization): Promise<void> {
  const { projectId, isTheirs, id } = ended
  if (isTheirs || (await isLastOne(app, work, userId, projectId, id))) {
    await app.lifecycle.whenAuthorizationEnded(app, work, userId, projectId)
  }
}

/** Ends what an authorization gave: to its user in this commit, to the users of its group by a job. */
async function endWhatItGave(app: App, work: Work, { id, state }: Document<LivingAuthorization>): Promise<void> {
  if (state.status !== 'active') return
  const ended = endedOf(id, state)
  if (state.userId !== undefined) return endFor(app, work, state.userId, ended)
  // None of them has its roles from this commit on. A group may have too many users to end their tokens in it.
  work.enqueue({ kind: GROUP_AUTHORIZATION_ENDED, data: { groupId: state.groupId, ...ended } })
}

/** Whether a user may not use a project without this authorization. */
async function isLastOne(app: App, work: Work, userId: string, projectId: string, id: string): Promise<boolean> {
  const project = await findProject(app, projectId, work)
  if (project?.state.authorizationRequired !== true) return false
  return !(await hasAuthorization(app, userId, projectId, { reader: work, except: id }))
}

/** Changes an authorization to what another product has now, as part of a write. */
export async function followAuthorization(
  app: App,
  work: Work,
  { id, roleKeys, isActive }: { readonly id: string; readonly roleKeys: readonly string[]; readonly isActive: boolean },
): Promise<void> {
  const before = await requireAuthorization(app, work, id)
  await requireRoles(app, work, before.state, roleKeys)
  await work.decide(authorizations, id, { type: 'change', roleKeys, mustDiffer: false })
  if (!isActive) await endWhatItGave(app, work, before)
  await work.decide(authorizations, id, { type: isActive ? 'reactivate' : 'deactivate' })
}

/** Deactivates an authorization, and ends what the user could do by it. */
export function deactivateAuthorization(app: App, call: Call, id: string): WrittenAuthorization {
  return app.store.write(call.origin, async (work) => {
    await endWhatItGave(app, work, await requireAuthorization(app, work, id))
    return work.decide(authorizations, id, { type: 'deactivate' })
  })
}

/** Reactivates an authorization. */
export function reactivateAuthorization(app: App, call: Call, id: string): WrittenAuthorization {
  return app.store.write(call.origin, (work) => work.decide(authorizations, id, { type: 'reactivate' }))
}

/** Removes an authorization as part of a write, and ends what the user could do by it. */
export async function removeAuthorizationIn(app: App, work: Work, id: string): Promise<Document<Authorization>> {
  const document = await findAuthorization(app, id, work)
  if (document !== undefined) await endWhatItGave(app, work, document)
  return work.decide(authorizations, id, { type: 'remove' })
}

/** Removes an authorization. */
export function removeAuthorization(app: App, call: Call, id: string): WrittenAuthorization {
  return app.store.write(call.origin, (work) => removeAuthorizationIn(app, work, id))
}

/** Removes authorizations, all or none. */
export async function removeAuthorizations(app: App, call: Call, ids: readonly string[]): Promise<void> {
  await app.store.write(call.origin, async (work) => {
    for (const id of ids) await removeAuthorizationIn(app, work, id)
  })
}
