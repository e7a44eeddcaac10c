/** The least valid request of every method, about the things of the world of the matrix. Most of it is read off the descriptors. */
import { generateKeyPairSync } from 'node:crypto'
import type { DescMethodUnary, JsonObject, JsonValue } from '@bufbuild/protobuf'
import { leastOf, newObject } from '../contract/limit-values.ts'
import type { CallerWorld, MatrixCaller } from './world.ts'

/** Methods about machines rather than people. */
const ABOUT_MACHINES = /Machine|PersonalAccessToken|Secret$|(?<!App|Application)Keys?$|KeyByIDs$/

export function isAboutMachines({ name }: DescMethodUnary): boolean {
  return ABOUT_MACHINES.test(name)
}

const APPLE_KEY = Buffer.from(
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
).toString('base64')
const TEXT = { type: 'MESSAGE_TYPE_PASSWORD_RESET', language: 'en' }
const NAMED = { givenName: 'Ada', familyName: 'Lovelace' }
const MAIL_SERVER = { senderAddress: 'a@example.com', senderName: 'A', host: '127.0.0.1:1' }
const WEBHOOK = { endpoint: 'http://127.0.0.1:1/', description: 'A' }
const FACTOR = { type: 'SECOND_FACTOR_TYPE_OTP' }
const MULTI_FACTOR = { type: 'MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION' }
const COMPLEXITY = { minLength: 10, hasLowercase: true }
const LINKS = { tosLink: 'https://example.com/terms' }
const LIFETIMES = {
  accessTokenLifetime: '60s',
  idTokenLifetime: '60s',
  refreshTokenIdleExpiration: '60s',
  refreshTokenExpiration: '60s',
}
const ROLE = { roleKey: 'new', displayName: 'New' }
const KEY_RESULT = {
  publicKeyCredential: Buffer.from(JSON.stringify(newObject(60))).toString('base64'),
  tokenName: 'A key',
}
const METADATA = [{ key: 'key', value: 'Ag==' }]

/** What a method needs beside what the descriptor says, by its name. */
function more({ ids, intent }: CallerWorld, caller: MatrixCaller): Readonly<Record<string, JsonObject>> {
  const resource = { organizationId: ids.home }
  return {
    CreateCallback: { error: { error: 'ERROR_REASON_ACCESS_DENIED' } },
    GetDeviceAuthorizationRequest: { userCode: ids.userCode },
    AuthorizeOrDenyDeviceAuthorization: { deny: {} },
    SetDefaultLanguage: { language: 'de' },
    UpdateLabelPolicy: { primaryColor: '#112233' },
    AddCustomLabelPolicy: { primaryColor: '#112233' },
    UpdateCustomLabelPolicy: { primaryColor: '#332211' },
    UpdatePrivacyPolicy: LINKS,
    AddCustomPrivacyPolicy: LINKS,
    UpdateCustomPrivacyPolicy: { ...LINKS, helpLink: 'https://help.example' },
    UpdatePasswordAgePolicy: { maxAgeDays: 3650 },
    AddCustomPasswordAgePolicy: { maxAgeDays: 3650 },
    UpdateCustomPasswordAgePolicy: { maxAgeDays: 3651 },
    GetBrandingSettings: { ctx: { orgId: ids.home } },
    GetLegalAndSupportSettings: { ctx: { orgId: ids.home } },
    GetPasswordExpirySettings: { ctx: { orgId: ids.home } },
    GetHostedLoginTranslation: { locale: 'en' },
    SetHostedLoginTranslation: { instance: true, locale: 'en', translations: { common: { back: 'Back' } } },
    AddOIDCSettings: LIFETIMES,
    UpdateOIDCSettings: LIFETIMES,
    AddSMTPConfig: MAIL_SERVER,
    UpdateSMTPConfig: { ...MAIL_SERVER, senderName: 'B' },
    TestSMTPConfigById: { receiverAddress: 'b@example.com' },
    TestSMTPConfig: { ...MAIL_SERVER, receiverAddress: 'b@example.com' },
    AddEmailProviderSMTP: MAIL_SERVER,
    UpdateEmailProviderSMTP: MAIL_SERVER,
    TestEmailProviderSMTPById: { receiverAddress: 'b@example.com' },
    TestEmailProviderSMTP: { ...MAIL_SERVER, receiverAddress: 'b@example.com' },
    AddSMSProviderHTTP: WEBHOOK,
    UpdateSMSProviderHTTP: { ...WEBHOOK, description: 'B' },
    UpdatePasswordComplexityPolicy: COMPLEXITY,
    AddCustomPasswordComplexityPolicy: COMPLEXITY,
    UpdateCustomPasswordComplexityPolicy: COMPLEXITY,
    UpdateLockoutPolicy: { maxPasswordAttempts: 8 },
    AddCustomLockoutPolicy: { maxPasswordAttempts: 8 },
    UpdateCustomLockoutPolicy: { maxPasswordAttempts: 8 },
    UpdateLoginPolicy: { allowUsernamePassword: true, forceMfa: true },
    UpdateCustomLoginPolicy: { allowUsernamePassword: true, forceMfa: true },
    AddCustomLoginPolicy: { allowUsernamePassword: true },
    AddMachineKey: { type: 'KEY_TYPE_JSON' },
    AddAppKey: { type: 'KEY_TYPE_JSON' },
    CreateApplication: { apiConfiguration: {} },
    UpdateApplication: { name: 'A new name' },
    SetApplicationApiAccess: { access: 'API_ACCESS_PROJECT' },
    StartSignInTrial: { codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
    UpdateOIDCAppConfig: { devMode: true, authMethodType: 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' },
    UpdateAPIAppConfig: { appId: ids.apiId, authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' },
    RegenerateAPIClientSecret: { appId: ids.apiId },
    AddSecondFactorToLoginPolicy: FACTOR,
    RemoveSecondFactorFromLoginPolicy: FACTOR,
    AddMultiFactorToLoginPolicy: MULTI_FACTOR,
    RemoveMultiFactorFromLoginPolicy: MULTI_FACTOR,
    AddIAMMember: { userId: ids.newcomer, roles: ['IAM_OWNER_VIEWER'] },
    UpdateIAMMember: { userId: ids.instanceMember, roles: ['IAM_USER_MANAGER'] },
    RemoveIAMMember: { userId: ids.instanceMember },
    AddOrgMember: { userId: ids.newcomer, roles: ['ORG_OWNER_VIEWER'] },
    UpdateOrgMember: { userId: ids.member, roles: ['ORG_USER_MANAGER'] },
    RemoveOrgMember: { userId: ids.member },
    CreateAdministrator: { userId: ids.newcomer, resource, roles: ['ORG_OWNER_VIEWER'] },
    UpdateAdministrator: { userId: ids.member, resource, roles: ['ORG_USER_MANAGER'] },
    DeleteAdministrator: { userId: ids.member, resource },
    AddProjectRole: ROLE,
    BulkAddProjectRoles: { roles: [{ key: 'new', displayName: 'New' }] },
    UpdateProjectRole: { roleKey: 'role', displayName: 'Another' },
    RemoveProjectRole: { roleKey: 'role' },
    AddProjectMember: { userId: ids.newcomer, roles: ['PROJECT_OWNER_VIEWER'] },
    UpdateProjectMember: { userId: ids.member, roles: ['PROJECT_OWNER'] },
    RemoveProjectMember: { userId: ids.member },
    AddProjectGrantMember: { userId: ids.newcomer, roles: ['PROJECT_GRANT_OWNER_VIEWER'] },
    UpdateProjectGrantMember: { userId: ids.member, roles: ['PROJECT_GRANT_OWNER'] },
    RemoveProjectGrantMember: { userId: ids.member },
    AddProjectGrant: { grantedOrgId: ids.outsider },
    CreateProjectGrant: { grantedOrganizationId: ids.outsider },
    AddUserGrant: { userId: ids.newcomer },
    BulkRemoveUserGrant: { grantId: [ids.authorizationId] },
    CreateAuthorization: { userId: ids.newcomer },
    UpdateIDP: { name: 'Another' },
    UpdateOrgIDP: { name: 'Another' },
    AddAppleProvider: { privateKey: APPLE_KEY },
    AddIDPLink: { idpLink: { idpId: ids.idpId, userId: 'new', userName: 'new' } },
    StartIdentityProviderIntent: {
      urls: { successUrl: 'https://app.example/in', failureUrl: 'https://app.example/no' },
    },
    RetrieveIdentityProviderIntent: { idpIntentToken: intent.token },
    GetActiveIdentityProviders: { ctx: { orgId: ids.home } },
    WaitForMail: { timeout: '0.001s' },
    GetMessageText: { ...TEXT, organizationId: ids.home },
    SetMessageText: { ...TEXT, organizationId: ids.home, text: { subject: 'Another' } },
    ResetMessageText: { ...TEXT, organizationId: ids.home },
    ListMessageTexts: { organizationId: ids.home },
    GetPageTexts: { language: 'en', organizationId: ids.home },
    SetPageTexts: { language: 'en', organizationId: ids.home, texts: [{ key: 'signIn.title', text: 'Hello' }] },
    ResetPageTexts: { language: 'en', organizationId: ids.home },
    IsUserUnique: { userName: 'new', email: 'new@example.com' },
    GetUserByLoginNameGlobal: { loginName: 'human-1' },
    BulkSetUserMetadata: { metadata: METADATA },
    DeleteOrganizationDomain: { domain: ids.domain },
    GenerateOrganizationDomainValidation: { domain: ids.domain, type: 'DOMAIN_VALIDATION_TYPE_DNS' },
    VerifyOrganizationDomain: { domain: ids.domain },
    AddOrganizationDomain: { domain: 'new.example.com' },
    CountSignIns: { organizationId: ids.home },
    ListLastSignIns: { userIds: [caller.human] },
    CreateSession: { checks: { user: { userId: caller.human } } },
    GetLoginSettings: { ctx: { orgId: ids.home } },
    GetPasswordComplexitySettings: { ctx: { orgId: ids.home } },
    GetDomainSettings: { ctx: { orgId: ids.home } },
    GetLockoutSettings: { ctx: { orgId: ids.home } },
    SetOrganizationSettings: { organizationScopedUsernames: true },
    CreateUser: { machine: { name: 'A machine' }, username: 'new' },
    UpdateUser: {},
    UpdateHumanUser: { profile: NAMED },
    SetEmail: { email: 'new@example.com' },
    SetPhone: { phone: '+41446681801' },
    GenerateRecoveryCodes: { count: 3 },
    VerifyPasskeyRegistration: { passkeyId: ids.pendingPasskey, publicKeyCredential: newObject(60) },
    VerifyU2FRegistration: { u2fId: ids.pendingU2f, publicKeyCredential: newObject(60) },
    SetUserMetadata: { metadata: METADATA },
    DeleteUserMetadata: { keys: ['key'] },
    SetOrganizationMetadata: { metadata: METADATA },
    DeleteOrganizationMetadata: { keys: ['key'] },
    SetInstanceFeatures: { permissionCheckV2: true },
    SetSecuritySettings: { enableImpersonation: true },
    GetMyMetadata: { key: 'key' },
    BulkRemoveUserMetadata: { keys: ['key'] },
    SetOrgMetadata: { key: 'key', value: 'Ag==' },
    BulkSetOrgMetadata: { metadata: METADATA },
    GetOrgMetadata: { key: 'key' },
    RemoveOrgMetadata: { key: 'key' },
    BulkRemoveOrgMetadata: { keys: ['key'] },
    AddOrgDomain: { domain: 'new.example.com' },
    RemoveOrgDomain: { domain: ids.domain },
    GenerateOrgDomainValidation: { domain: ids.domain, type: 'DOMAIN_VALIDATION_TYPE_DNS' },
    ValidateOrgDomain: { domain: ids.domain },
    GetOrgByDomainGlobal: { domain: ids.domain },
    SetMyEmail: { email: 'new@example.com' },
    SetMyPhone: { phone: '+41446681801' },
    UpdateHumanEmail: { userId: caller.human, email: 'new@example.com' },
    UpdateHumanPhone: { userId: caller.human, phone: '+41446681801' },
    UpdateMyUserName: { userName: 'new' },
    UpdateMyPassword: { oldPassword: 'Wrong horse 7 battery', newPassword: 'Correct horse 7 battery' },
    SetHumanPassword: { userId: caller.human, password: 'Correct horse 7 battery' },
    SetHumanInitialPassword: { userId: caller.human, password: 'Correct horse 7 battery' },
    VerifyMyAuthFactorU2F: { verification: KEY_RESULT },
    VerifyMyPasswordless: { verification: KEY_RESULT },
    ImportHumanUser: {
      userName: 'new',
      profile: { firstName: 'Ada', lastName: 'Lovelace' },
      email: { email: 'new@example.com' },
    },
    GetUserMetadata: { key: 'key' },
    RemoveUserMetadata: { key: 'key' },
  }
}

/** Where the two generations of a service call methods alike but ask for something else. */
function moreOf({ ids }: CallerWorld): Readonly<Record<string, JsonObject>> {
  return {
    'signet.management.v1.ManagementService/AddIDPToLoginPolicy': { ownerType: 'IDP_OWNER_TYPE_ORG' },
    'signet.user.v2.UserService/AddHumanUser': {
      organisation: { orgId: ids.home },
      username: 'new',
      profile: NAMED,
      email: { email: 'new@example.com' },
    },
    'signet.management.v1.ManagementService/AddHumanUser': {
      userName: 'new',
      profile: { firstName: 'Ada', lastName: 'Lovelace' },
      email: { email: 'new@example.com' },
    },
    'signet.admin.v1.AdminService/RemoveOrg': { orgId: ids.home },
    'signet.management.v1.ManagementService/SetUserMetadata': { key: 'key', value: 'Ag==' },
  }
}

/** The things of the world, by the name of the field that a request names them in. */
function thingsOf(method: DescMethodUnary, { ids }: CallerWorld, { human, machine }: MatrixCaller) {
  const who = isAboutMachines(method) ? machine : human
  const { typeName } = method.parent
  const isOfAdmin = typeName.startsWith('signet.admin.')
  const isProvider = /Provider|IDP/.test(method.name) && !/SMS|SMTP|Email/.test(method.name)
  const provider = isOfAdmin ? ids.instanceIdpId : ids.idpId
  const ofAdmin = /SMS/.test(method.name) ? ids.smsId : ids.smtpId
  const isOfProject = typeName.startsWith('signet.management.') && /Project/.test(method.name)
  const ofOwn = typeName.includes('.authorization.') ? ids.authorizationId : isOfProject ? ids.projectId : who
  const things: Readonly<Record<string, string>> = {
    userId: who,
    id: isProvider ? provider : isOfAdmin ? ofAdmin : ofOwn,
    idpId: provider,
    linkedUserId: ids.linkedUserId,
    idpIntentId: ids.intentId,
    clientId: 'client',
    teamId: 'ABCDEFGHIJ',
    organizationId: ids.home,
    projectId: ids.projectId,
    applicationId: ids.applicationId,
    appId: ids.applicationId,
    keyId: isProvider ? 'ABCDEFGHIJ' : /App(lication)?Key/.test(method.name) ? ids.applicationKeyId : ids.keyId,
    orgId: ids.home,
    tokenId: /Passwordless/.test(method.name) ? ids.passkeyId : /U2F/.test(method.name) ? ids.u2fId : ids.tokenId,
    passkeyId: ids.passkeyId,
    u2fId: ids.u2fId,
    sessionId: ids.sessionId,
    // The sign-in of a session has the ID of the session.
    signInId: ids.sessionId,
    authRequestId: ids.authRequestId,
    deviceAuthorizationId: ids.deviceAuthorizationId,
    grantId: /UserGrant/.test(method.name) ? ids.authorizationId : ids.projectGrantId,
    grantedOrganizationId: ids.partner,
    grantedOrgId: ids.partner,
  }
  return things
}

/** The request of a caller; throws when it names a thing of which the world has none. */
export function requestOf(method: DescMethodUnary, world: CallerWorld, caller: MatrixCaller): JsonObject {
  const full = `${method.parent.typeName}/${method.name}`
  const body: Record<string, JsonValue> = { ...leastOf(method.input) }
  const things = thingsOf(method, world, caller)
  if ('expirationDate' in body) body.expirationDate = '2029-01-01T00:00:00Z'
  for (const field of Object.keys(body)) {
    const thing = things[field]
    if (thing !== undefined) body[field] = thing
    else if (/(^i|I)ds?$/.test(field)) throw new Error(`${full}: the world has no ${field}`)
  }
  // The name of an organization or an address must not be one of the characters that no font has.
  if ('name' in body) body.name = 'A new name'
  for (const field of ['issuer', 'authorizationEndpoint', 'tokenEndpoint', 'userEndpoint']) {
    if (field in body) body[field] = 'https://127.0.0.1:1'
  }
  // A change of an address takes the secret again.
  if (method.input.fields.some(({ jsonName }) => jsonName === 'clientSecret')) body.clientSecret = 'secret'
  return { ...body, ...(moreOf(world)[full] ?? more(world, caller)[method.name]) }
}
