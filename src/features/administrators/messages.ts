/** Converts memberships to messages, with data of their users and organizations. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { AdministratorSchema } from '../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import type { MemberSchema } from '../../../contract/gen/signet/member/v1/member_pb.ts'
import type { MembershipSchema } from '../../../contract/gen/signet/user/v1/membership_pb.ts'
import { Type } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import type { Call } from '../../access/call.ts'
import type { RoleLevel } from '../../kernel/role.ts'
import type { App } from '../../module/app.ts'
import { detailsV1 } from '../../module/details.ts'
import type { Document, Written } from '../../store/index.ts'
import type { Member, Membership } from '../memberships/index.ts'
import { isLivingOrganization, organizations } from '../organizations/index.ts'
import { isLiving, type LivingUser, shownName, users } from '../users/index.ts'

/** The memberships that are not removed. */
export function currentMembers(documents: readonly Document<Membership>[]): readonly Document<Member>[] {
  return documents.filter((document): document is Document<Member> => document.state.status === 'member')
}

/** What a caller sees of a user: everything, or the name of one whose roles they manage. */
interface ShownUser {
  readonly user: LivingUser
  readonly isReadable: boolean
}

/** The permission to change a membership of a level. */
const MANAGING: Readonly<Record<RoleLevel, string>> = {
  instance: 'iam.member.write',
  organization: 'org.member.write',
  project: 'project.member.write',
  project_grant: 'project.grant.member.write',
}

/**
 * Whether the caller can change a membership of a user of the same organization. Who can make anybody a member must not
 * learn the names of users elsewhere by doing so.
 */
function manages(call: Call, { owner, state }: Document<Member>): boolean {
  const { level, scopeId, project, userOrganizationId } = state
  if (level !== 'instance' && userOrganizationId !== (project?.organizationId ?? owner)) return false
  if (project === undefined) return call.may(MANAGING[level], owner)
  const { id: projectId, organizationId: ownerId, grantedOrganizationId: grantedId } = project
  const place = grantedId === undefined ? { projectId, ownerId } : { grantId: scopeId, projectId, ownerId, grantedId }
  return call.may(MANAGING[level], place)
}

/** The users behind members, by id, in one read; only those whom the caller may read, or whose roles they manage. */
export async function usersBehind(
  app: App,
  call: Call,
  members: readonly Document<Member>[],
): Promise<ReadonlyMap<string, ShownUser>> {
  const ids = [...new Set(members.map(({ state }) => state.userId))]
  if (ids.length === 0) return new Map()
  const { documents } = await app.store.find(users, {
    where: { field: 'id', in: ids },
    orderBy: 'id',
    limit: ids.length,
  })
  const managed = new Set(members.filter((member) => manages(call, member)).map(({ state }) => state.userId))
  return new Map(
    documents.flatMap(({ id, owner, state }): readonly (readonly [string, ShownUser])[] => {
      if (!isLiving(state)) return []
      const isReadable = id === call.caller.userId || call.may('user.read', owner)
      return isReadable || managed.has(id) ? [[id, { user: state, isReadable }]] : []
    }),
  )
}

/** The names of the organizations of members by ID, in one read. */
export async function organizationNames(
  app: App,
  members: readonly Document<Member>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(members.filter(({ state }) => state.level === 'organization').map(({ owner }) => owner))]
  if (ids.length === 0) return new Map()
  const where = { field: 'id', in: ids } as const
  const { documents } = await app.store.find(organizations, { where, orderBy: 'id', limit: ids.length })
  return new Map(documents.flatMap(({ id, state }) => (isLivingOrganization(state) ? [[id, state.name] as const] : [])))
}

// A membership can be removed and added again. Its creation date is the last addition.
function begun(document: Document<Membership>): Document<Membership> {
  return document.state.status === 'member' ? { ...document, createdAt: document.state.addedAt } : document
}

/** Details of a membership that was just written. */
export function writtenMembership({ value }: Written<Document<Membership>>) {
  return detailsV1(begun(value))
}

/** A member in the v1 services. */
export function memberV1(
  document: Document<Member>,
  shown: ShownUser | undefined,
): MessageInitShape<typeof MemberSchema> {
  const user = shown?.user
  return {
    userId: document.state.userId,
    details: detailsV1(begun(document)),
    roles: [...document.state.roles],
    userResourceOwner: document.state.userOrganizationId,
    ...(user && {
      preferredLoginName: user.userName,
      displayName: shownName(user),
      userType: user.type === 'human' ? Type.HUMAN : Type.MACHINE,
    }),
    ...(user?.type === 'human' && {
      ...(shown?.isReadable === true && { email: user.email.address }),
      firstName: user.profile.firstName,
      lastName: user.profile.lastName,
    }),
  }
}

function resourceOf(
  { level, scopeId, project }: Member,
  name: string,
): NonNullable<MessageInitShape<typeof AdministratorSchema>['resource']> {
  if (project === undefined) {
    return level === 'instance'
      ? { case: 'instance', value: true }
      : { case: 'organization', value: { id: scopeId, name } }
  }
  const { id: projectId, organizationId, grantedOrganizationId } = project
  if (grantedOrganizationId === undefined) {
    return { case: 'project', value: { id: projectId, name, organizationId } }
  }
  const value = { id: scopeId, projectId, projectName: name, organizationId, grantedOrganizationId }
  return { case: 'projectGrant', value }
}

/** An administrator in the permission service. `resourceName` is the name of the organization or the project. */
export function administrator(
  document: Document<Member>,
  shown: ShownUser | undefined,
  resourceName: string | undefined,
): MessageInitShape<typeof AdministratorSchema> {
  const { userId, userOrganizationId, roles, addedAt } = document.state
  return {
    creationDate: timestampFromMs(addedAt),
    changeDate: timestampFromMs(document.changedAt),
    user: {
      id: userId,
      organizationId: userOrganizationId,
      ...(shown && { preferredLoginName: shown.user.userName, displayName: shownName(shown.user) }),
    },
    resource: resourceOf(document.state, resourceName ?? ''),
    roles: [...roles],
  }
}

function membershipType({ level, scopeId }: Member): NonNullable<MessageInitShape<typeof MembershipSchema>['type']> {
  switch (level) {
    case 'instance':
      return { case: 'iam', value: true }
    case 'organization':
      return { case: 'orgId', value: scopeId }
    case 'project':
      return { case: 'projectId', value: scopeId }
    case 'project_grant':
      return { case: 'projectGrantId', value: scopeId }
  }
}

/** A membership in the response to its own user. */
export function membershipV1(
  document: Document<Member>,
  displayName: string,
): MessageInitShape<typeof MembershipSchema> {
  return {
    userId: document.state.userId,
    details: detailsV1(begun(document)),
    roles: [...document.state.roles],
    displayName,
    type: membershipType(document.state),
  }
}
