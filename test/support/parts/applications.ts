/** Three organizations with projects, for tests of applications: `shop` in the organization north, `depot` in south. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { CreateOIDCApplicationRequestSchema } from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ApplicationService } from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { projects } from '../../../src/features/projects/index.ts'
import type { App } from '../../../src/module/app.ts'
import { withThreeOrganizations } from '../small-world.ts'
import type { Part, World, WorldWith } from '../world.ts'

/** Adds a project without asking anyone. */
export async function addProject({ store, clock }: App, id: string, organizationId: string): Promise<void> {
  const settings = {
    name: `The ${id}`,
    projectRoleAssertion: false,
    authorizationRequired: false,
    projectAccessRequired: false,
    privateLabeling: 'unspecified',
  } as const
  await store.write({ actor: 'server', at: clock() }, (work) =>
    work.decide(projects, id, { type: 'add', organizationId, ...settings }, organizationId),
  )
}

export type OidcFields = MessageInitShape<typeof CreateOIDCApplicationRequestSchema>

interface WithApplications {
  /** Creates an OIDC application in the project `shop`. */
  addOidc(fields?: OidcFields): Promise<{ readonly id: string; readonly clientId: string; readonly secret: string }>
}

export type ApplicationWorld = WorldWith<WithApplications>

async function given(world: World): Promise<WithApplications> {
  await withThreeOrganizations.given(world)
  await addProject(world.app, 'shop', 'north')
  await addProject(world.app, 'depot', 'south')
  let count = 0
  return {
    async addOidc(fields = {}) {
      const value = { redirectUris: ['https://app.example.com/callback'], ...fields } as OidcFields
      const reply = await world.call(
        ApplicationService.method.createApplication,
        {
          projectId: 'shop',
          name: `Application ${++count}`,
          applicationType: { case: 'oidcConfiguration', value },
        },
        { bearer: 'north' },
      )
      if (reply.applicationType.case !== 'oidcConfiguration') throw new Error('it is no OIDC application')
      const { clientId, clientSecret } = reply.applicationType.value
      return { id: reply.applicationId, clientId, secret: clientSecret }
    },
  }
}

/** The projects, and how applications are added to them. */
export const withApplications: Part<WithApplications> = { ...withThreeOrganizations, given }
