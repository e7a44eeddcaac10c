/** What can become of the access of a user to an application of another organization, and how it is brought about. */
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import type { World } from '../support/world.ts'

const v1 = ManagementService.method

/** The first one keeps the access; all others end it. */
export const ACCESS_STATES = [
  'given',
  'authorization deactivated',
  'authorization removed',
  'project grant deactivated',
  'project grant removed',
  'authorization required, and there is none',
  'project access required, and there is no grant',
] as const

export type AccessState = (typeof ACCESS_STATES)[number]

export interface Access {
  readonly projectId: string
  readonly projectOwnerId: string
  /** Those whose access it is, all of one organization. */
  readonly userIds: readonly string[]
  readonly userOrganizationId: string
}

/** Lets a user use a project that requires everything a project can require, or nothing; returns how to end that. */
export async function giveAccess(
  { call, owner }: Pick<World, 'call' | 'owner'>,
  state: AccessState,
  { projectId, projectOwnerId, userIds, userOrganizationId }: Access,
): Promise<() => Promise<void>> {
  const there = { ...owner, organizationId: projectOwnerId }
  const name = `Project ${projectId}`
  const require = (projectRoleCheck: boolean, hasProjectCheck: boolean) =>
    call(v1.updateProject, { id: projectId, name, projectRoleCheck, hasProjectCheck }, there)
  if (state === 'authorization required, and there is none') return async () => void (await require(true, false))
  if (state === 'project access required, and there is no grant') return async () => void (await require(false, true))
  const { grantId } = await call(v1.addProjectGrant, { projectId, grantedOrgId: userOrganizationId }, there)
  const authorizations: { userId: string; grantId: string }[] = []
  for (const userId of userIds) {
    const { userGrantId } = await call(v1.addUserGrant, { userId, projectId }, there)
    authorizations.push({ userId, grantId: userGrantId })
  }
  await require(true, true)
  const forEach = async (end: (authorization: { userId: string; grantId: string }) => Promise<unknown>) => {
    for (const authorization of authorizations) await end(authorization)
  }
  const grant = { projectId, grantId }
  const ends: Readonly<Record<Exclude<AccessState, `${string} required${string}`>, () => Promise<unknown>>> = {
    given: async () => {},
    'authorization deactivated': () => forEach((one) => call(v1.deactivateUserGrant, one, there)),
    'authorization removed': () => forEach((one) => call(v1.removeUserGrant, one, there)),
    'project grant deactivated': () => call(v1.deactivateProjectGrant, grant, there),
    'project grant removed': () => call(v1.removeProjectGrant, grant, there),
  }
  return async () => void (await ends[state]())
}
