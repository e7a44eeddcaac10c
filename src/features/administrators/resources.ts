/** What the roles of an administrator apply to, and which administrators a caller can read. */
import type { ResourceType } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { Refused, refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Filter } from '../../store/index.ts'
import type { MembershipField, MembershipScope } from '../memberships/index.ts'
import {
  findProject,
  findProjectGrant,
  placeOf,
  placeOfGrant,
  projectGrantRefusals,
  projectRefusals,
} from '../projects/index.ts'

type Verb = 'write' | 'delete'

async function projectScope(app: App, call: Call, projectId: string, verb: Verb): Promise<MembershipScope> {
  const permission = `project.member.${verb}`
  const project = await findProject(app, projectId)
  if (project === undefined) {
    call.visibleOwners(permission)
    throw refused(projectRefusals, 'project.not_found')
  }
  const place = placeOf(project)
  call.authorizeWith(permission, place)
  return { level: 'project', id: projectId, place }
}

async function grantScope(
  app: App,
  call: Call,
  { projectId, organizationId }: { readonly projectId: string; readonly organizationId: string },
  verb: Verb,
): Promise<MembershipScope> {
  const permission = `project.grant.member.${verb}`
  const grant = await findProjectGrant(app, projectId, organizationId)
  if (grant === undefined) {
    call.visibleOwners(permission)
    throw refused(projectGrantRefusals, 'project_grant.not_found')
  }
  const place = await placeOfGrant(app, grant)
  call.authorizeWith(permission, place)
  return { level: 'project_grant', id: grant.id, place }
}

/** The scope of the roles. Throws unless the caller has the permission there; every level has one of its own. */
export async function authorizedScope(
  app: App,
  call: Call,
  resource: ResourceType | undefined,
  verb: Verb,
): Promise<MembershipScope> {
  switch (resource?.resource.case) {
    case 'projectId':
      return projectScope(app, call, resource.resource.value, verb)
    case 'projectGrant':
      return grantScope(app, call, resource.resource.value, verb)
    case 'organizationId': {
      const id = resource.resource.value
      call.authorize(id)
      return { level: 'organization', id }
    }
    default: {
      const id = app.instanceId
      call.authorize(id)
      if (!call.may(`iam.member.${verb}`, id)) throw refused(accessRefusals, 'access.forbidden')
      return { level: 'instance', id }
    }
  }
}

/** Like the function above, to remove somebody; undefined when there is nothing that the roles could apply to. */
export async function scopeIfAny(
  app: App,
  call: Call,
  resource: ResourceType | undefined,
): Promise<MembershipScope | undefined> {
  try {
    return await authorizedScope(app, call, resource, 'delete')
  } catch (error) {
    if (error instanceof Refused && /^project(_grant)?\.not_found$/.test(error.code)) return undefined
    throw error
  }
}

function inOrganizations(call: Call): Filter<MembershipField> {
  const owners = call.visibleOwners()
  const level: Filter<MembershipField> = { field: 'level', equals: 'organization' }
  return owners === 'all' ? level : { all: [level, { field: 'scopeId', in: owners }] }
}

function onProjects(call: Call): Filter<MembershipField> {
  const owners = call.visibleOwners('project.member.read')
  const level: Filter<MembershipField> = { field: 'level', equals: 'project' }
  if (owners === 'all') return level
  const { projectIds } = call.visibleProjects('project.member.read')
  const readable: Filter<MembershipField> = {
    any: [
      { field: 'projectOrganizationId', in: owners },
      { field: 'scopeId', in: projectIds },
    ],
  }
  return { all: [level, readable] }
}

function onGrants(call: Call): Filter<MembershipField> {
  const owners = call.visibleOwners('project.grant.member.read')
  const level: Filter<MembershipField> = { field: 'level', equals: 'project_grant' }
  if (owners === 'all') return level
  const { projectIds, grantIds } = call.visibleProjects('project.grant.member.read')
  const readable: Filter<MembershipField> = {
    any: [
      { field: 'projectOrganizationId', in: owners },
      { field: 'grantedOrganizationId', in: owners },
      { field: 'projectId', in: projectIds },
      { field: 'scopeId', in: grantIds },
    ],
  }
  return { all: [level, readable] }
}

/** The administrators that the caller can read. */
export function readableMembers(app: App, call: Call): Filter<MembershipField> {
  const readable = [inOrganizations(call), onProjects(call), onGrants(call)]
  const onInstance: Filter<MembershipField> = { field: 'level', equals: 'instance' }
  return { any: call.may('iam.member.read', app.instanceId) ? [...readable, onInstance] : readable }
}
