/** Adding, renaming, closing and removing organizations, in whichever service's words it was asked. */
import type { AddHumanUserRequest } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import type { Call } from '../../access/call.ts'
import { refused } from '../../kernel/refusal.ts'
import { ORGANIZATION_OWNER } from '../../kernel/role.ts'
import type { Document, Work, Written } from '../../store/index.ts'
import { instances } from '../instances/index.ts'
import { organizations } from './documents.ts'
import { ORGANIZATION_REMOVED } from './jobs.ts'
import { idProblem, nameProblem } from './names.ts'
import type { CreatedAdministrator, OrganizationsNeeds } from './needs.ts'
import { organizationRefusals } from './refusals.ts'
import type { Organization } from './state.ts'

type WrittenOrganization = Promise<Written<Document<Organization>>>

function checkName(name: string): void {
  const description = nameProblem(name)
  if (description === undefined) return
  throw refused(organizationRefusals, 'organization.name_invalid', { violations: [{ field: 'name', description }] })
}

function checkId(id: string, instanceId: string): void {
  // Owners are organizations or the instance: one id must never mean both.
  if (id === instanceId) throw refused(organizationRefusals, 'organization.id_taken')
  const description = idProblem(id)
  if (description === undefined) return
  const violations = [{ field: 'organizationId', description }]
  throw refused(organizationRefusals, 'organization.id_invalid', { violations })
}

/** Somebody who is there, or a person who is added to the new organization. */
export type NewAdministrator = { readonly roles: readonly string[] } & (
  | { readonly userId: string }
  | { readonly human: AddHumanUserRequest }
)

export interface NewOrganization {
  readonly name: string
  /** Chosen by the caller; else a new one. */
  readonly id?: string | undefined
  /** None: the caller. An administrator without roles is an owner. */
  readonly administrators?: readonly NewAdministrator[]
}

export interface AddedOrganization {
  readonly organization: Document<Organization>
  /** The people who were added with it. */
  readonly created: readonly CreatedAdministrator[]
}

/** Adds an organization and its administrators, all or nothing. */
export async function addOrganization(
  { store, newId, instanceId, addAdministrator, prepareHuman }: OrganizationsNeeds,
  call: Call,
  { name, id = newId(), administrators = [] }: NewOrganization,
): Promise<Written<AddedOrganization>> {
  checkName(name)
  checkId(id, instanceId)
  const first = administrators.length > 0 ? administrators : [{ userId: call.caller.userId, roles: [] }]
  const prepared = await Promise.all(
    first.map(async (one, index) => ({
      roles: one.roles.length > 0 ? one.roles : [ORGANIZATION_OWNER],
      ...('human' in one
        ? { add: await prepareHuman(one.human, id, `admins[${index}].human.`) }
        : { userId: one.userId }),
    })),
  )
  return store.write(call.origin, async (work) => {
    const created: CreatedAdministrator[] = []
    const organization = await work.decide(organizations, id, { type: 'add', name }, id)
    for (const { roles, ...one } of prepared) {
      const added = 'add' in one ? await one.add(work) : undefined
      if (added !== undefined) created.push(added)
      const userId = 'userId' in one ? one.userId : (added?.userId ?? '')
      await addAdministrator(work, call, { organizationId: id, userId, roles })
    }
    return { organization, created }
  })
}

/** Gives an organization another name. */
export function renameOrganization(
  { store }: OrganizationsNeeds,
  call: Call,
  id: string,
  name: string,
): WrittenOrganization {
  checkName(name)
  return store.write(call.origin, (work) => work.decide(organizations, id, { type: 'rename', name }, id))
}

async function isDefault(work: Work, instanceId: string, id: string): Promise<boolean> {
  const instance = await work.get(instances, instanceId)
  return instance?.state.status === 'running' && instance.state.defaultOrganizationId === id
}

async function close(needs: OrganizationsNeeds, work: Work, id: string, type: 'deactivate' | 'remove') {
  const command = { type, isDefault: await isDefault(work, needs.instanceId, id) } as const
  const closed = await work.decide(organizations, id, command, id)
  for (const ask of needs.beforeClosing) await ask(work, id)
  return closed
}

/** From the commit on, no token of the organization's users works. */
export function deactivateOrganization(needs: OrganizationsNeeds, call: Call, id: string): WrittenOrganization {
  return needs.store.write(call.origin, (work) => close(needs, work, id, 'deactivate'))
}

/** Its users can sign in again. */
export function reactivateOrganization({ store }: OrganizationsNeeds, call: Call, id: string): WrittenOrganization {
  return store.write(call.origin, (work) => work.decide(organizations, id, { type: 'reactivate' }, id))
}

/**
 * The organization is gone at once, and with it every token and membership that counted in it: whoever identifies or
 * authorizes looks for the organization first. What it owned is removed afterwards, in batches, by a job.
 */
export function removeOrganization(needs: OrganizationsNeeds, call: Call, id: string): WrittenOrganization {
  return needs.store.write(call.origin, async (work) => {
    const removed = await close(needs, work, id, 'remove')
    work.enqueue({ kind: ORGANIZATION_REMOVED, data: { organizationId: id } })
    return removed
  })
}
