/** What a login page of the caller's own sends and gets: session tokens, codes for applications, codes of devices. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OIDCService } from '../../contract/gen/signet/oidc/v2/oidc_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { SAMLService } from '../../contract/gen/signet/saml/v2/saml_service_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { serviceProvider } from '../support/service-provider.ts'
import { addPerson } from './people.ts'
import { type SecretClient, textOf } from './secret-client.ts'

const v1 = ManagementService.method
const oidc = OIDCService.method
const REDIRECT_URI = 'https://app.example/callback'
const SAML = 'urn:oasis:names:tc:SAML:2.0'

type Session = { readonly sessionId: string; readonly sessionToken: string }

/** The token of a login client. */
async function addLoginClient(client: SecretClient): Promise<string> {
  const userName = `login-${client.next()}`
  const userId = textOf(await client.call(v1.addMachineUser, { userName, name: 'Login' }), 'userId')
  const roles = { userId, resource: { instance: true }, roles: ['IAM_LOGIN_CLIENT'] }
  await client.call(InternalPermissionService.method.createAdministrator, roles)
  return textOf(await client.call(v1.addPersonalAccessToken, { userId }), 'token')
}

/** The client ID of a public application with a login page. */
async function addApplication(client: SecretClient): Promise<string> {
  const { org } = (await client.call(v1.getMyOrg, {})) as { readonly org: { readonly id: string } }
  const project = { organizationId: org.id, name: `Project ${client.next()}` }
  const projectId = textOf(await client.call(ProjectService.method.createProject, project), 'projectId')
  const oidcConfiguration = {
    redirectUris: [REDIRECT_URI],
    grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_DEVICE_CODE'],
    authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
    loginVersion: { loginV2: { baseUri: 'https://login.example' } },
  }
  const request = { projectId, name: `Application ${client.next()}`, oidcConfiguration }
  const made = await client.call(ApplicationService.method.createApplication, request)
  return (made.oidcConfiguration as { readonly clientId: string }).clientId
}

/** Answers a service provider of SAML, by a form and by an address. */
async function exerciseSaml(client: SecretClient, bearer: string, session: Session): Promise<void> {
  for (const binding of ['POST', 'Redirect']) {
    const entityId = `https://sp${client.next()}.example`
    const services = `<md:AssertionConsumerService Binding="${SAML}:bindings:HTTP-${binding}" Location="${entityId}/acs" index="0"/>`
    const metadataXml = Buffer.from(serviceProvider(entityId, { services })).toString('base64')
    const { org } = (await client.call(v1.getMyOrg, {})) as { readonly org: { readonly id: string } }
    const project = { organizationId: org.id, name: `Project ${client.next()}` }
    const projectId = textOf(await client.call(ProjectService.method.createProject, project), 'projectId')
    const loginVersion = { loginV2: { baseUri: 'https://login.example' } }
    const samlConfiguration = { metadataXml, loginVersion }
    await client.call(ApplicationService.method.createApplication, { projectId, name: entityId, samlConfiguration })
    const xml = `<p:AuthnRequest xmlns:p="${SAML}:protocol" ID="_${client.next()}" Version="2.0" IssueInstant="${new Date().toISOString()}"><a:Issuer xmlns:a="${SAML}:assertion">${entityId}</a:Issuer></p:AuthnRequest>`
    const form = new URLSearchParams({ SAMLRequest: Buffer.from(xml).toString('base64') })
    const sent = await client.sendRaw('/saml/v2/SSO', { method: 'POST', body: form })
    const path = sent.headers.get('location') ?? assert.fail(`${sent.status}`)
    const cookie = sent.headers.get('set-cookie')?.split(';')[0] ?? ''
    const next = (await client.sendRaw(path, { headers: { cookie } })).headers.get('location') ?? assert.fail(path)
    const samlRequestId = new URL(next).searchParams.get('samlRequest') ?? assert.fail(next)
    await client.call(SAMLService.method.createResponse, { samlRequestId, session }, { bearer })
  }
}

/** Answers an application and a device. */
export async function exerciseLoginPage(client: SecretClient): Promise<void> {
  const bearer = await addLoginClient(client)
  const clientId = await addApplication(client)
  const password = client.canary()
  const userId = await addPerson(client, { password: { password } })
  const checks = { user: { userId }, password: { password } }
  const made = await client.call(SessionService.method.createSession, { checks }, { bearer })
  const session = { sessionId: textOf(made, 'sessionId'), sessionToken: textOf(made, 'sessionToken') }

  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update('verifier').digest('base64url'),
    code_challenge_method: 'S256',
  })
  const sent = await client.sendRaw(`/oauth/v2/authorize?${query}`, {})
  const location = sent.headers.get('location') ?? assert.fail(`${sent.status}`)
  const authRequestId = new URL(location).searchParams.get('authRequest') ?? assert.fail(location)
  await client.call(oidc.createCallback, { authRequestId, session }, { bearer })

  await exerciseSaml(client, bearer, session)

  const form = new URLSearchParams({ client_id: clientId, scope: 'openid' })
  const started = await client.sendRaw('/oauth/v2/device_authorization', { method: 'POST', body: form }, true)
  const { user_code: userCode = '' } = (await started.json()) as { readonly user_code?: string }
  const shown = await client.call(oidc.getDeviceAuthorizationRequest, { userCode }, { bearer })
  const { id } = shown.deviceAuthorizationRequest as { readonly id: string }
  const decision = { deviceAuthorizationId: id, session }
  await client.call(oidc.authorizeOrDenyDeviceAuthorization, decision, { bearer })
}
