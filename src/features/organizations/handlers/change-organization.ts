/** Renames, deactivates, reactivates and removes organizations. */

import type { Call } from '../../../access/call.ts'
import { nameProblem } from '../../../kernel/name.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Reader, Work, Written } from '../../../store/index.ts'
import { instances } from '../../instances/index.ts'
import { chosenIdProblem, organizations } from '../documents.ts'
import { ORGANIZATION_REMOVED } from '../jobs.ts'
import { organizationRefusals } from '../refusals.ts'
import type { Organization } from '../state.ts'

type WrittenOrganization = Promise<Written<Document<Organization>>>

function checkName(name: string): void {
  const description = nameProblem(name)
  if (description === undefined) return
  throw refused(organizationRefusals, 'organization.name_invalid', { violations: [{ field: 'name', description }] })
}

/** Throws unless an organization can be added with this name and, if a caller chose one, this ID. */
export async function checkNewOrganization(
  app: App,
  reader: Reader,
  { id, name }: { readonly id: string | undefined; readonly name: string },
): Promise<void> {
  checkName(name)
  if (id === undefined) return
  // An owner is an organization or the instance, so their IDs must differ.
  if (id === app.instanceId) throw refused(organizationRefusals, 'organization.id_taken')
  const description = await chosenIdProblem(app, reader, { kind: 'organization', id, organizationId: id })
  if (description === undefined) return
  const violations = [{ field: 'organizationId', description }]
  throw refused(organizationRefusals, 'organization.id_invalid', { violations })
}

/** Renames an organization. */
export function renameOrganization({ store }: App, call: Call, id: string, name: string): WrittenOrganization {
  checkName(name)
  return store.write(call.origin, (work) => work.decide(organizations, id, { type: 'rename', name }, id))
}

/** Whether new users without an organization are added to this one. */
async function isDefault(work: Work, instanceId: string, id: string): Promise<boolean> {
  const instance = await work.get(instances, instanceId)
  return instance?.state.status === 'running' && instance.state.defaultOrganizationId === id
}

/**
 * Deactivates or removes an organization as part of a write; modules can refuse that to a caller. A job removes what is in
 * a removed one.
 */
export async function closeIn(app: App, work: Work, id: string, type: 'deactivate' | 'remove', call?: Call) {
  const command = { type, isDefault: await isDefault(work, app.instanceId, id) } as const
  const closed = await work.decide(organizations, id, command, id)
  if (call !== undefined) await app.lifecycle.beforeOrganizationClosed(app, work, id, call)
  await app.lifecycle.whenOrganizationClosed(app, work, id)
  if (type === 'remove') work.enqueue({ kind: ORGANIZATION_REMOVED, data: { organizationId: id } })
  return closed
}

/** Deactivates an organization. From the commit on, no token of its users is valid. */
export function deactivateOrganization(app: App, call: Call, id: string): WrittenOrganization {
  return app.store.write(call.origin, (work) => closeIn(app, work, id, 'deactivate', call))
}

/** Reactivates an organization. Its users can sign in again. */
export function reactivateOrganization({ store }: App, call: Call, id: string): WrittenOrganization {
  return store.write(call.origin, (work) => work.decide(organizations, id, { type: 'reactivate' }, id))
}

/**
 * Removes an organization. Its tokens and memberships are invalid immediately, because identification and authorization
 * look up the organization first. A job then removes its data in batches.
 */
export function removeOrganization(app: App, call: Call, id: string): WrittenOrganization {
  return app.store.write(call.origin, async (work) => {
    if ((await work.get(organizations, id)) === undefined) {
      return work.decide(organizations, id, { type: 'remove', isDefault: false }, id)
    }
    return closeIn(app, work, id, 'remove', call)
  })
}
