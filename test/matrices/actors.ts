/** Those who call beside the callers of the world: each with what their token holds, which is what must count. */
import { ApiAccess } from '../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import type { Grant, ProjectGrantScope, ProjectScope } from '../../src/access/call.ts'
import { holdsEverywhere, holdsOnInstance } from '../../src/access/roles.ts'
import { giveConsent, openGrantWithToken, pictureOf } from '../../src/features/grants/index.ts'
import { apiProjectId } from '../../src/features/instances/index.ts'
import type { CallerWorld, MatrixCaller } from './world.ts'

export const ACTORS = [
  'owner of the organization',
  'owner from another organization',
  'owner of the project',
  'owner of the grant',
  'project’s application, of an administrator',
  'organization’s application, of an administrator',
  'another organization’s application, of an administrator',
  'organization’s application, of a user',
] as const

export type ActorName = (typeof ACTORS)[number]

/** Where the things of the world are: in the organization, on its project, or on the grant of that to a partner. */
export function placesOf({ ids }: CallerWorld): { project: ProjectScope; grant: ProjectGrantScope } {
  const project = { projectId: ids.projectId, ownerId: ids.home }
  return { project, grant: { ...project, grantId: ids.projectGrantId, grantedId: ids.partner } }
}

/** What a permission beyond one organization takes, by the requirement. */
export const BEYOND = { instance: holdsOnInstance, 'every organization': holdsEverywhere } as const

/** Adds them to a world. */
export async function addActors(world: CallerWorld): Promise<Readonly<Record<ActorName, MatrixCaller>>> {
  const { ids, scene } = world
  const { call, owner, app } = scene
  const { home, outsider, partner, projectId } = ids
  const { human, machine } = world.callers['owner of the instance']
  const { project, grant } = placesOf(world)
  const atHome = { organizationId: home, header: home, human, machine }
  const inHome: Grant = { scope: { organizationId: home }, roles: ['ORG_OWNER'] }
  const onProject: Grant = { scope: project, roles: ['PROJECT_OWNER'] }

  const giveRole = (userId: string, { scope, roles }: Grant) => {
    const resource =
      scope === 'instance'
        ? ({ case: 'instance', value: true } as const)
        : 'organizationId' in scope
          ? ({ case: 'organizationId', value: scope.organizationId } as const)
          : 'grantId' in scope
            ? ({ case: 'projectGrant', value: { projectId, organizationId: scope.grantedId } } as const)
            : ({ case: 'projectId', value: scope.projectId } as const)
    const member = { userId, resource: { resource }, roles: [...roles] }
    return call(InternalPermissionService.method.createAdministrator, member, owner)
  }
  const machineWith = async (organizationId: string, role: Grant): Promise<MatrixCaller> => {
    const { userId, request } = await world.addMachine({ organizationId })
    await giveRole(userId, role)
    return { ...atHome, bearer: request.bearer, grants: [role] }
  }

  const addApplication = async (name: string, inProject: string, access: ApiAccess) => {
    const applicationType = { case: 'apiConfiguration', value: {} } as const
    const { applicationId } = await call(
      ApplicationService.method.createApplication,
      { projectId: inProject, name, applicationType },
      owner,
    )
    await call(
      ApplicationService.method.setApplicationApiAccess,
      { applicationId, projectId: inProject, access },
      owner,
    )
    return { applicationId, projectId: inProject }
  }
  /** With the consent of the user: without one, an application of another organization does nothing at all. */
  const tokenOf = async (userId: string, application: { applicationId: string; projectId: string }) => {
    const { applicationId: clientId } = application
    const picture = pictureOf({ clientId, name: 'Shown', redirectUris: [], scopes: [] })
    const allowed = { userId, clientId, scopes: [], picture, organizationId: home }
    await giveConsent(app, scene.origin(), allowed)
    const subject = {
      userId,
      organizationId: home,
      isMachine: false,
      clientId,
      picture,
      ...application,
      sessionId: '',
      scope: 'openid',
      audience: [await apiProjectId(app)],
      authenticatedAt: app.clock(),
      amr: ['pwd', 'mfa'],
      acr: '',
    }
    return (await openGrantWithToken(app, scene.origin(), subject, { grantType: 'test', lifetimeMs: 86_400_000 })).text
  }
  const administrator = await scene.addHuman({ organizationId: home })
  for (const role of [inHome, onProject, { scope: 'instance', roles: ['IAM_OWNER'] } as const]) {
    await giveRole(administrator, role)
  }
  const elsewhere = { organizationId: outsider, name: 'Elsewhere' }
  const { projectId: theirs } = await call(ProjectService.method.createProject, elsewhere, owner)
  const ofProject = await addApplication('Of the project', projectId, ApiAccess.PROJECT)
  const ofOrganization = await addApplication('Of the organization', projectId, ApiAccess.ORGANIZATION)
  const ofOthers = await addApplication('Of others', theirs, ApiAccess.ORGANIZATION)
  const user = await scene.addHuman({ organizationId: home })
  const through = async (
    application: typeof ofProject,
    userId: string,
    grants: readonly Grant[],
  ): Promise<MatrixCaller> => ({ ...atHome, bearer: await tokenOf(userId, application), grants })

  return {
    'owner of the organization': await machineWith(home, inHome),
    'owner from another organization': await machineWith(outsider, inHome),
    'owner of the project': await machineWith(home, onProject),
    'owner of the grant': {
      ...(await machineWith(partner, { scope: grant, roles: ['PROJECT_GRANT_OWNER'] })),
      organizationId: partner,
      header: partner,
    },
    'project’s application, of an administrator': await through(ofProject, administrator, [onProject]),
    'organization’s application, of an administrator': await through(ofOrganization, administrator, [
      inHome,
      onProject,
    ]),
    'another organization’s application, of an administrator': await through(ofOthers, administrator, []),
    'organization’s application, of a user': await through(ofOrganization, user, []),
  }
}
