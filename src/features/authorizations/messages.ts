/** Converts authorizations to messages, with data of their users, organizations, projects and roles. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type AuthorizationSchema, State } from '../../../contract/gen/signet/authorization/v2/authorization_pb.ts'
import { type UserGrantSchema, UserGrantState } from '../../../contract/gen/signet/user/v1/user_grant_pb.ts'
import { Type } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import type { Call } from '../../access/call.ts'
import type { App } from '../../module/app.ts'
import { detailsV1 } from '../../module/details.ts'
import type { Document } from '../../store/index.ts'
import { groupsById, groupsOfUser } from '../groups/index.ts'
import { isLivingOrganization, type Organization, organizations, primaryDomain } from '../organizations/index.ts'
import { type ExistingRole, projectRoleId, projectRoles, projectsById } from '../projects/index.ts'
import { isLiving, type LivingUser, shownName, users } from '../users/index.ts'
import type { LivingAuthorization } from './decider.ts'
import { placeOfAuthorization } from './documents.ts'

/** Who a row shows: its user, or the user whom the list is about. */
function userIdOf({ userId }: LivingAuthorization, onlyUser: string | undefined): string | undefined {
  return userId ?? onlyUser
}

type Authorizations = readonly Document<LivingAuthorization>[]

const AT_ONCE = 1000

/** What a caller sees of a user: everything, or the name of one whose authorizations they manage. */
interface ShownUser {
  readonly user: LivingUser
  readonly isReadable: boolean
}

/** The users behind authorizations, by ID; only those whom the caller may read, or whose authorizations they manage. */
async function usersBehind(
  app: App,
  call: Call,
  list: Authorizations,
  onlyUser: string | undefined,
): Promise<ReadonlyMap<string, ShownUser>> {
  const ids = [...new Set(list.flatMap(({ state }) => userIdOf(state, onlyUser) ?? []))]
  if (ids.length === 0) return new Map()
  const where = { field: 'id', in: ids } as const
  const { documents } = await app.store.find(users, { where, orderBy: 'id', limit: ids.length })
  const managed = new Set<string>()
  for (const { owner, state } of list) {
    const userId = userIdOf(state, onlyUser) ?? ''
    // Who can authorize anybody must not learn the names of users elsewhere by doing so.
    if (managed.has(userId) || state.userOrganizationId !== owner) continue
    if (call.may('user.grant.write', await placeOfAuthorization(app, state))) managed.add(userId)
  }
  return new Map(
    documents.flatMap(({ id, owner, state }): readonly (readonly [string, ShownUser])[] => {
      if (!isLiving(state)) return []
      const isReadable = id === call.caller.userId || call.may('user.read', owner)
      return isReadable || managed.has(id) ? [[id, { user: state, isReadable }]] : []
    }),
  )
}

/** The groups behind authorizations, by ID; only those whose name the caller may know, as with users. */
async function groupsBehind(app: App, call: Call, list: Authorizations): ReturnType<typeof groupsById> {
  const found = await groupsById(
    app,
    list.flatMap(({ state }) => state.groupId ?? []),
  )
  if (found.size === 0) return found
  const shown = new Set((await groupsOfUser(app, call.caller.userId)).map(({ id }) => id))
  for (const [id, { owner }] of found) if (call.may('group.read', owner)) shown.add(id)
  for (const { owner, state } of list) {
    const { groupId } = state
    if (groupId === undefined || shown.has(groupId) || state.userOrganizationId !== owner) continue
    if (call.may('user.grant.write', await placeOfAuthorization(app, state))) shown.add(groupId)
  }
  return new Map([...found].filter(([id]) => shown.has(id)))
}

async function organizationsOf(app: App, list: Authorizations): Promise<ReadonlyMap<string, Organization>> {
  const ids = [...new Set(list.map(({ owner }) => owner))]
  if (ids.length === 0) return new Map()
  const where = { field: 'id', in: ids } as const
  const { documents } = await app.store.find(organizations, { where, orderBy: 'id', limit: ids.length })
  return new Map(documents.map(({ id, state }) => [id, state]))
}

async function rolesBehind(app: App, list: Authorizations): Promise<ReadonlyMap<string, ExistingRole>> {
  const keys = list.flatMap(({ state }) => state.roleKeys.map((key) => projectRoleId(state.projectId, key)))
  const ids = [...new Set(keys)]
  const roles = new Map<string, ExistingRole>()
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const where = { field: 'id', in: ids.slice(from, from + AT_ONCE) } as const
    const { documents } = await app.store.find(projectRoles, { where, orderBy: 'id', limit: AT_ONCE })
    for (const { id, state } of documents) if (state.status === 'existing') roles.set(id, state)
  }
  return roles
}

/** Authorizations in the v2 service. Roles that no longer exist are left out. `onlyUser`: whom the list is about. */
export async function authorizationsV2(
  app: App,
  call: Call,
  list: Authorizations,
  onlyUser?: string,
): Promise<MessageInitShape<typeof AuthorizationSchema>[]> {
  const [people, groups, owners, projects, roles] = await Promise.all([
    usersBehind(app, call, list, onlyUser),
    groupsBehind(app, call, list),
    organizationsOf(app, list),
    projectsById(
      app,
      list.map(({ state }) => state.projectId),
    ),
    rolesBehind(app, list),
  ])
  return list.map(({ id, owner, state, createdAt, changedAt }) => {
    const userId = userIdOf(state, onlyUser)
    const user = people.get(userId ?? '')?.user
    const organization = owners.get(owner)
    const project = projects.get(state.projectId)
    return {
      id,
      creationDate: timestampFromMs(createdAt),
      changeDate: timestampFromMs(changedAt),
      project: { id: state.projectId, name: project?.state.name ?? '', organizationId: project?.owner ?? '' },
      organization: { id: owner, name: organization && isLivingOrganization(organization) ? organization.name : '' },
      ...(userId !== undefined && {
        user: {
          id: userId,
          organizationId: state.userOrganizationId,
          ...(user && { preferredLoginName: user.userName, displayName: shownName(user) }),
        },
      }),
      ...(state.groupId !== undefined && {
        group: {
          id: state.groupId,
          name: groups.get(state.groupId)?.state.name ?? '',
          organizationId: state.userOrganizationId,
        },
      }),
      state: state.status === 'active' ? State.ACTIVE : State.INACTIVE,
      roles: state.roleKeys.flatMap((key) => {
        const role = roles.get(projectRoleId(state.projectId, key))
        return role === undefined ? [] : [{ key, displayName: role.displayName, group: role.group }]
      }),
    }
  })
}

function personOf({ user, isReadable }: ShownUser) {
  return {
    userName: user.userName,
    preferredLoginName: user.userName,
    displayName: shownName(user),
    userType: user.type === 'human' ? Type.HUMAN : Type.MACHINE,
    ...(user.type === 'human' && {
      firstName: user.profile.firstName,
      lastName: user.profile.lastName,
      ...(isReadable && { email: user.email.address }),
    }),
  }
}

/** Authorizations in the v1 services, which call them user grants. `onlyUser`: whom the list is about. */
export async function userGrantsV1(
  app: App,
  call: Call,
  list: Authorizations,
  onlyUser?: string,
): Promise<MessageInitShape<typeof UserGrantSchema>[]> {
  const [people, groups, owners, projects] = await Promise.all([
    usersBehind(app, call, list, onlyUser),
    groupsBehind(app, call, list),
    organizationsOf(app, list),
    projectsById(
      app,
      list.map(({ state }) => state.projectId),
    ),
  ])
  return list.map((document) => {
    const { id, owner, state } = document
    const userId = userIdOf(state, onlyUser)
    const user = people.get(userId ?? '')
    const organization = owners.get(owner)
    const [name, domain] =
      organization && isLivingOrganization(organization) ? [organization.name, primaryDomain(organization)] : ['', '']
    return {
      id,
      details: detailsV1(document),
      roleKeys: [...state.roleKeys],
      state: state.status === 'active' ? UserGrantState.ACTIVE : UserGrantState.INACTIVE,
      userId: userId ?? '',
      ...(state.groupId !== undefined && {
        groupId: state.groupId,
        groupName: groups.get(state.groupId)?.state.name ?? '',
      }),
      ...(user && personOf(user)),
      orgId: owner,
      orgName: name,
      orgDomain: domain,
      projectId: state.projectId,
      projectName: projects.get(state.projectId)?.state.name ?? '',
      ...(state.grantId !== '' && {
        projectGrantId: state.grantId,
        grantedOrgId: owner,
        grantedOrgName: name,
        grantedOrgDomain: domain,
      }),
    }
  })
}
