/**
 * What the requests of methods need beside what their descriptors require, and the things that they are about, by the names
 * of fields.
 */
import type { DescMethod, JsonObject } from '@bufbuild/protobuf'
import type { ExampleThings, Needs } from './example-names.ts'
import { forProviders } from './example-providers.ts'
import { forSettings } from './example-settings.ts'

/** Methods about machines rather than people. */
const ABOUT_MACHINES = /Machine|PersonalAccessToken|Secret$|(?<!App|Application)Keys?$|KeyByIDs$/

/** Whether a method is about a machine. */
export function isAboutMachines({ name }: DescMethod): boolean {
  return ABOUT_MACHINES.test(name)
}

const NAMED = { givenName: 'Ada', familyName: 'Lovelace' }
const ROLE = { roleKey: 'new', displayName: 'New' }
const METADATA = [{ key: 'key', value: 'Ag==' }]

/** A key in PEM format, as base64. */
const PUBLIC_KEY =
  'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFYzZuMUVpcG5TUlZQUGhOV3A5LzhRdUxPa1VV' +
  'OQpmY3NPWDF5cCtYeDBhWHBqSXJRYTBoNW51cVNUM29XdkQwcFlTOGZwZ0JCQTI3RVNIaUxVNVNwMmlBPT0KLS0tLS1FTkQgUFVCTElDIEtFWS0tLS0tCg=='

/** Of users, their sessions and ways to sign in. */
function forPeople(things: ExampleThings): Needs {
  const publicKeyCredential = Buffer.from(JSON.stringify(things.credential)).toString('base64')
  const keyResult = { publicKeyCredential, tokenName: 'A key' }
  return {
    AddMachineKey: { type: 'KEY_TYPE_JSON' },
    IsUserUnique: { userName: 'new', email: 'new@example.com' },
    GetUserByLoginNameGlobal: { loginName: 'human-1' },
    BulkSetUserMetadata: { metadata: METADATA },
    CountSignIns: { organizationId: things.home },
    ListLastSignIns: { userIds: [things.human] },
    CreateSession: { checks: { user: { userId: things.human } } },
    CreateUser: { machine: { name: 'A machine' }, username: 'new' },
    UpdateUser: {},
    UpdateHumanUser: { profile: NAMED },
    SetEmail: { email: 'new@example.com' },
    SetPhone: { phone: '+41446681801' },
    GenerateRecoveryCodes: { count: 3 },
    VerifyPasskeyRegistration: { passkeyId: things.pendingPasskey, publicKeyCredential: things.credential },
    VerifyU2FRegistration: { u2fId: things.pendingU2f, publicKeyCredential: things.credential },
    SetUserMetadata: { metadata: METADATA },
    DeleteUserMetadata: { keys: ['key'] },
    GetMyMetadata: { key: 'key' },
    BulkRemoveUserMetadata: { keys: ['key'] },
    SetMyEmail: { email: 'new@example.com' },
    SetMyPhone: { phone: '+41446681801' },
    UpdateHumanEmail: { userId: things.human, email: 'new@example.com' },
    UpdateHumanPhone: { userId: things.human, phone: '+41446681801' },
    UpdateMyUserName: { userName: 'new' },
    UpdateMyPassword: { oldPassword: 'Wrong horse 7 battery', newPassword: 'Correct horse 7 battery' },
    SetHumanPassword: { userId: things.human, password: 'Correct horse 7 battery' },
    SetHumanInitialPassword: { userId: things.human, password: 'Correct horse 7 battery' },
    VerifyMyAuthFactorU2F: { verification: keyResult },
    VerifyMyPasswordless: { verification: keyResult },
    ImportHumanUser: {
      userName: 'new',
      profile: { firstName: 'Ada', lastName: 'Lovelace' },
      email: { email: 'new@example.com' },
    },
    GetUserMetadata: { key: 'key' },
    RemoveUserMetadata: { key: 'key' },
  }
}

/** The metadata of a service provider, as JSON writes bytes. */
function samlMetadata(entityId: string): string {
  const metadata = 'urn:oasis:names:tc:SAML:2.0'
  const service = `Binding="${metadata}:bindings:HTTP-POST" Location="${entityId}/acs" index="0"`
  const xml = `<EntityDescriptor xmlns="${metadata}:metadata" entityID="${entityId}"><SPSSODescriptor protocolSupportEnumeration="${metadata}:protocol"><AssertionConsumerService ${service}/></SPSSODescriptor></EntityDescriptor>`
  return Buffer.from(xml).toString('base64')
}

/** Of organizations, projects, applications and roles. */
function forResources(things: ExampleThings): Needs {
  const resource = { organizationId: things.home }
  return {
    CreateResponse: { error: { error: 'ERROR_REASON_REQUEST_DENIED' } },
    CreateCallback: { error: { error: 'ERROR_REASON_ACCESS_DENIED' } },
    GetDeviceAuthorizationRequest: { userCode: things.userCode },
    AuthorizeOrDenyDeviceAuthorization: { deny: {} },
    AddAppKey: { type: 'KEY_TYPE_JSON' },
    ApproveAgent: { resource: 'https://mcp.example.com/mcp', scopes: ['tools:read'] },
    WithdrawAgentApproval: { resource: 'https://mcp.example.com/mcp' },
    CreateApplication: { apiConfiguration: {} },
    UpdateApplication: { name: 'A new name' },
    SetApplicationApiAccess: { access: 'API_ACCESS_PROJECT' },
    StartSignInTrial: { codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
    UpdateOIDCAppConfig: { devMode: true, authMethodType: 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' },
    AddSAMLApp: { metadataXml: samlMetadata('https://new.example.com/saml') },
    UpdateSAMLAppConfig: { appId: things.samlId, metadataXml: samlMetadata('https://another.example.com/saml') },
    UpdateAPIAppConfig: { appId: things.apiId, authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' },
    RegenerateAPIClientSecret: { appId: things.apiId },
    AddIAMMember: { userId: things.newcomer, roles: ['IAM_OWNER_VIEWER'] },
    UpdateIAMMember: { userId: things.instanceMember, roles: ['IAM_USER_MANAGER'] },
    RemoveIAMMember: { userId: things.instanceMember },
    AddOrgMember: { userId: things.newcomer, roles: ['ORG_OWNER_VIEWER'] },
    UpdateOrgMember: { userId: things.member, roles: ['ORG_USER_MANAGER'] },
    RemoveOrgMember: { userId: things.member },
    CreateAdministrator: { userId: things.newcomer, resource, roles: ['ORG_OWNER_VIEWER'] },
    UpdateAdministrator: { userId: things.member, resource, roles: ['ORG_USER_MANAGER'] },
    DeleteAdministrator: { userId: things.member, resource },
    AddProjectRole: ROLE,
    BulkAddProjectRoles: { roles: [{ key: 'new', displayName: 'New' }] },
    UpdateProjectRole: { roleKey: 'role', displayName: 'Another' },
    RemoveProjectRole: { roleKey: 'role' },
    AddProjectMember: { userId: things.newcomer, roles: ['PROJECT_OWNER_VIEWER'] },
    UpdateProjectMember: { userId: things.member, roles: ['PROJECT_OWNER'] },
    RemoveProjectMember: { userId: things.member },
    AddProjectGrantMember: { userId: things.newcomer, roles: ['PROJECT_GRANT_OWNER_VIEWER'] },
    UpdateProjectGrantMember: { userId: things.member, roles: ['PROJECT_GRANT_OWNER'] },
    RemoveProjectGrantMember: { userId: things.member },
    AddProjectGrant: { grantedOrgId: things.outsider },
    CreateProjectGrant: { grantedOrganizationId: things.outsider },
    AddUserGrant: { userId: things.newcomer },
    AddUsersToGroup: { userIds: [things.newcomer] },
    RemoveUsersFromGroup: { userIds: [things.newcomer] },
    SetGroupMetadata: { metadata: METADATA },
    DeleteGroupMetadata: { keys: ['key'] },
    BulkRemoveUserGrant: { grantId: [things.authorizationId] },
    CreateAuthorization: { userId: things.newcomer },
    DeleteOrganizationDomain: { domain: things.domain },
    GenerateOrganizationDomainValidation: { domain: things.domain, type: 'DOMAIN_VALIDATION_TYPE_DNS' },
    VerifyOrganizationDomain: { domain: things.domain },
    AddOrganizationDomain: { domain: 'new.example.com' },
    SetOrganizationMetadata: { metadata: METADATA },
    DeleteOrganizationMetadata: { keys: ['key'] },
    SetUpOrg: {
      org: { name: 'New' },
      human: {
        userName: 'new',
        profile: { firstName: 'Ada', lastName: 'Lovelace' },
        email: { email: 'new@example.com' },
      },
    },
    SetOrgMetadata: { key: 'key', value: 'Ag==' },
    BulkSetOrgMetadata: { metadata: METADATA },
    GetOrgMetadata: { key: 'key' },
    RemoveOrgMetadata: { key: 'key' },
    BulkRemoveOrgMetadata: { keys: ['key'] },
    AddOrgDomain: { domain: 'new.example.com' },
    RemoveOrgDomain: { domain: things.domain },
    GenerateOrgDomainValidation: { domain: things.domain, type: 'DOMAIN_VALIDATION_TYPE_DNS' },
    ValidateOrgDomain: { domain: things.domain },
    SetPrimaryOrgDomain: { domain: things.domain },
    GetOrgByDomainGlobal: { domain: things.domain },
  }
}

/** Of actions. */
function forActions(things: ExampleThings): Needs {
  return {
    CreateTarget: { name: 'Billing', endpoint: things.webhook, timeout: '10s', restCall: { interruptOnError: true } },
    UpdateTarget: { timeout: '20s' },
    AddPublicKey: { publicKey: PUBLIC_KEY },
    SetExecution: { condition: { function: { name: 'preuserinfo' } }, targets: [things.targetId] },
  }
}

/** Where the two generations of a service call methods alike but ask for something else. */
function forOneService(things: ExampleThings): Needs {
  return {
    'signet.management.v1.ManagementService/AddIDPToLoginPolicy': { ownerType: 'IDP_OWNER_TYPE_ORG' },
    'signet.user.v2.UserService/AddHumanUser': {
      organisation: { orgId: things.home },
      username: 'new',
      profile: NAMED,
      email: { email: 'new@example.com' },
    },
    'signet.management.v1.ManagementService/AddHumanUser': {
      userName: 'new',
      profile: { firstName: 'Ada', lastName: 'Lovelace' },
      email: { email: 'new@example.com' },
    },
    'signet.admin.v1.AdminService/RemoveOrg': { orgId: things.home },
    'signet.management.v1.ManagementService/SetUserMetadata': { key: 'key', value: 'Ag==' },
  }
}

/** Of the v1 methods for the texts of messages. */
function ofText({ name }: DescMethod): JsonObject | undefined {
  if (!/^(Get|Set|Reset)\w+Message(Custom)?Text/.test(name)) return undefined
  const text = /Phone|SMS/.test(name) ? 'Your code: {{.Code}}' : 'Another text'
  return { language: 'en', ...(name.startsWith('Set') && { text }) }
}

/** What a method needs beside what its descriptor requires. */
export function needsOf(method: DescMethod, things: ExampleThings): JsonObject | undefined {
  const full = `${method.parent.typeName}/${method.name}`
  const all = {
    ...forSettings(things),
    ...forPeople(things),
    ...forResources(things),
    ...forProviders(things),
    ...forActions(things),
  }
  return forOneService(things)[full] ?? all[method.name] ?? ofText(method)
}

/** The things, by the name of the field that a request names them in. */
export function thingsOf(method: DescMethod, ids: ExampleThings): Readonly<Record<string, string>> {
  const who = isAboutMachines(method) ? ids.machine : ids.human
  const { typeName } = method.parent
  const isOfAdmin = typeName.startsWith('signet.admin.')
  const isProvider = /Provider|IDP/.test(method.name) && !/SMS|SMTP|Email/.test(method.name)
  const generic = isOfAdmin ? ids.instanceIdpId : ids.idpId
  const saml = isOfAdmin ? ids.samlInstanceProviderId : ids.samlProviderId
  const provider = method.name.includes('SAMLProvider') ? saml : generic
  const ofAdmin = /SMS/.test(method.name) ? ids.smsId : ids.smtpId
  const isOfProject = typeName.startsWith('signet.management.') && /Project/.test(method.name)
  const isOfGroup = typeName.startsWith('signet.group.')
  const isOfAction = typeName.startsWith('signet.action.')
  const ofOwn = typeName.includes('.authorization.') ? ids.authorizationId : isOfProject ? ids.projectId : who
  const ofOther = isOfGroup ? ids.groupId : isOfAction ? ids.targetId : ofOwn
  return {
    userId: who,
    id: isProvider ? provider : isOfAdmin ? ofAdmin : ofOther,
    idpId: provider,
    linkedUserId: ids.linkedUserId,
    idpIntentId: ids.intentId,
    clientId: 'client',
    teamId: 'ABCDEFGHIJ',
    organizationId: ids.home,
    projectId: ids.projectId,
    applicationId: ids.applicationId,
    appId: ids.applicationId,
    targetId: ids.targetId,
    groupId: ids.groupId,
    keyId: isOfAction
      ? ids.publicKeyId
      : isProvider
        ? 'ABCDEFGHIJ'
        : /App(lication)?Key/.test(method.name)
          ? ids.applicationKeyId
          : ids.keyId,
    orgId: ids.home,
    tokenId: /Passwordless/.test(method.name) ? ids.passkeyId : /U2F/.test(method.name) ? ids.u2fId : ids.tokenId,
    passkeyId: ids.passkeyId,
    u2fId: ids.u2fId,
    sessionId: ids.sessionId,
    webhookId: ids.webhookId,
    streamId: ids.streamId,
    transmitterId: ids.transmitterId,
    // The sign-in of a session has the ID of the session.
    signInId: ids.sessionId,
    authRequestId: ids.authRequestId,
    samlRequestId: ids.samlRequestId,
    deviceAuthorizationId: ids.deviceAuthorizationId,
    grantId: /UserGrant/.test(method.name) ? ids.authorizationId : ids.projectGrantId,
    grantedOrganizationId: ids.partner,
    grantedOrgId: ids.partner,
  }
}
