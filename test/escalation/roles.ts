/** The roles of the table, and how somebody gets one. */
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ROLE_PERMISSIONS } from '../../src/access/role-permissions.ts'
import { type RoleLevel, rolesAt } from '../../src/kernel/role.ts'
import type { World } from '../support/world.ts'

export interface RoleAt {
  readonly level: RoleLevel
  readonly role: string
}

/** Every role of the table. */
export const ALL_ROLES: readonly RoleAt[] = (Object.keys(ROLE_PERMISSIONS) as RoleLevel[]).flatMap((level) =>
  rolesAt(level).map((role) => ({ level, role })),
)

/** What a role allows. */
export function permissionsOf({ level, role }: RoleAt): ReadonlySet<string> {
  return new Set<string>(ROLE_PERMISSIONS[level][role])
}

/** Where roles below the instance are held. */
export interface Where {
  readonly organization?: string | undefined
  readonly project?: string | undefined
  readonly grant?: string | undefined
  /** The organization that the project is granted to. */
  readonly partner?: string | undefined
}

function resourceAt(level: RoleLevel, { organization = '', project = '', partner = '' }: Where) {
  switch (level) {
    case 'instance':
      return { case: 'instance', value: true } as const
    case 'organization':
      return { case: 'organizationId', value: organization } as const
    case 'project':
      return { case: 'projectId', value: project } as const
    case 'project_grant':
      return { case: 'projectGrant', value: { projectId: project, organizationId: partner } } as const
  }
}

export async function giveRole(
  { call, owner }: Pick<World, 'call' | 'owner'>,
  userId: string,
  { level, role }: RoleAt,
  where: Where,
): Promise<void> {
  const { createAdministrator } = InternalPermissionService.method
  await call(createAdministrator, { userId, resource: { resource: resourceAt(level, where) }, roles: [role] }, owner)
}
