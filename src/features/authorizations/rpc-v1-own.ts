/** The v1 methods about the roles of the caller in projects. */
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { UserGrantSchema } from '../../../contract/gen/signet/user/v1/user_grant_pb.ts'
import type { Call, Grant } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { holdsEverywhere } from '../../access/roles.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import type { Filter } from '../../store/index.ts'
import { listOrganizationsV1, type OrganizationField } from '../organizations/index.ts'
import { isLivingAuthorization } from './decider.ts'
import { authorizations } from './documents.ts'
import { rolesOfUser } from './held-roles.ts'
import { userGrantsV1 } from './messages.ts'
import { authorizationsOfUser } from './queries.ts'

/** The organization in which a role on this server applies; undefined for a role on the instance. */
function organizationOf({ scope }: Grant): string | undefined {
  if (scope === 'instance') return undefined
  if ('organizationId' in scope) return scope.organizationId
  return 'grantId' in scope ? scope.grantedId : scope.ownerId
}

/** The organizations in which the caller has a role, on this server or in a project; all for who reads all of them. */
async function ownOrganizations(app: App, call: Call): Promise<Filter<OrganizationField>> {
  const { grants } = call.caller
  if (holdsEverywhere(grants, 'org.read')) return { all: [] }
  const ids = new Set(grants.flatMap((grant) => organizationOf(grant) ?? []))
  return {
    any: [
      { field: 'id', in: [...ids] },
      {
        field: 'id',
        among: { kind: authorizations, field: 'owner', where: await authorizationsOfUser(app, call.caller.userId) },
      },
    ],
  }
}

/** A user grant as the AuthService shows it. */
function ownGrant(init: MessageInitShape<typeof UserGrantSchema>) {
  const { id, details, ...grant } = create(UserGrantSchema, init)
  return {
    orgId: grant.orgId,
    projectId: grant.projectId,
    userId: grant.userId,
    roles: grant.roleKeys,
    orgName: grant.orgName,
    grantId: id,
    ...(details && { details }),
    orgDomain: grant.orgDomain,
    projectName: grant.projectName,
    projectGrantId: grant.projectGrantId,
    roleKeys: grant.roleKeys,
    userType: grant.userType,
    state: grant.state,
    groupId: grant.groupId,
    groupName: grant.groupName,
  }
}

/** The v1 methods of this module about the caller. */
export function ownAuthorizationMethods(app: App): readonly Method[] {
  return methods(AuthService, {
    async listMyUserGrants({ query }, call) {
      const page = await app.store.find(authorizations, {
        where: await authorizationsOfUser(app, call.caller.userId),
        orderBy: 'createdAt',
        ...pageOf(query, 'query'),
      })
      const list = page.documents.flatMap(({ state, ...rest }) =>
        isLivingAuthorization(state) ? [{ ...rest, state }] : [],
      )
      const grants = await userGrantsV1(app, call, list, call.caller.userId)
      return { details: listDetailsV1(page, call.at), result: grants.map(ownGrant) }
    },

    async listMyProjectOrgs(list, call) {
      const { details, result } = await listOrganizationsV1(app, call, list, await ownOrganizations(app, call))
      return { details, result }
    },

    async listMyProjectPermissions(_, call) {
      const { userId, projectId } = call.caller
      const held = projectId === undefined ? [] : await rolesOfUser(app, userId, [projectId])
      return { result: [...new Set(held.map(({ roleKey }) => roleKey))].sort() }
    },
  })
}
