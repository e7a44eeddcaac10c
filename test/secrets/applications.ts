/** Every method that gives an application a secret or a key. */
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { type SecretClient, textOf } from './secret-client.ts'

const v1 = ManagementService.method
const v2 = ApplicationService.method

/** Calls them all. */
export async function exerciseApplications(client: SecretClient): Promise<void> {
  const { organizationId } = await ownOrganization(client)
  const project = { organizationId, name: `Project ${client.next()}` }
  const projectId = textOf(await client.call(ProjectService.method.createProject, project), 'projectId')
  const expirationDate = '2040-01-01T00:00:00Z'
  const named = () => ({ projectId, name: `Application ${client.next()}` })

  const oidc = textOf(await client.call(v2.createApplication, { ...named(), oidcConfiguration: {} }), 'applicationId')
  await client.call(v2.createApplication, { ...named(), apiConfiguration: {} })
  await client.call(v2.generateClientSecret, { applicationId: oidc, projectId })
  const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  await client.call(v2.startSignInTrial, { applicationId: oidc, projectId, codeChallenge })
  await client.call(v2.createRegistrationToken, { projectId })
  const authMethodType = 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT'
  const keyed = await client.call(v2.createApplication, { ...named(), apiConfiguration: { authMethodType } })
  const applicationId = textOf(keyed, 'applicationId')
  await client.call(v2.createApplicationKey, { applicationId, projectId, expirationDate })

  const appId = textOf(await client.call(v1.addOIDCApp, named()), 'appId')
  const apiId = textOf(await client.call(v1.addAPIApp, named()), 'appId')
  await client.call(v1.regenerateOIDCClientSecret, { projectId, appId })
  await client.call(v1.regenerateAPIClientSecret, { projectId, appId: apiId })
  await client.call(v1.addAppKey, { projectId, appId: applicationId, type: 'KEY_TYPE_JSON', expirationDate })
}

async function ownOrganization(client: SecretClient): Promise<{ readonly organizationId: string }> {
  const { org } = (await client.call(v1.getMyOrg, {})) as { readonly org: { readonly id: string } }
  return { organizationId: org.id }
}
