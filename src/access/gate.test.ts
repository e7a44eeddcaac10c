import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { allMethods } from '../../test/support/services.ts'
import { instant } from '../kernel/instant.ts'
import { Refused } from '../kernel/refusal.ts'
import type { Admission, Approach } from './admit.ts'
import type { Caller, Grant } from './call.ts'
import { checkMethods, openGate } from './gate.ts'
import type { Method } from './method.ts'

const inA = (...roles: string[]): Grant => ({ scope: { organizationId: 'org-a' }, roles })
const onInstance = (...roles: string[]): Grant => ({ scope: 'instance', roles })
const caller = (userId: string, ...grants: Grant[]): Caller => ({ userId, organizationId: 'org-a', grants })

const callers: Readonly<Record<string, Caller>> = {
  owner: caller('owner', onInstance('IAM_OWNER')),
  viewer: caller('viewer', onInstance('IAM_OWNER_VIEWER')),
  manager: caller('manager', onInstance('IAM_USER_MANAGER')),
  login: caller('login', onInstance('IAM_LOGIN_CLIENT')),
  orgOwner: caller('orgOwner', inA('ORG_OWNER')),
  orgViewer: caller('orgViewer', inA('ORG_OWNER_VIEWER')),
  orgManager: caller('orgManager', inA('ORG_USER_MANAGER')),
  nobody: caller('nobody'),
  confused: caller('confused', inA('IAM_OWNER'), onInstance('ORG_OWNER', 'NO_SUCH_ROLE')),
}

const admit = openGate({
  identify: async (bearer) => callers[bearer],
  organization: async (id) => (({ 'org-a': 'active', 'org-b': 'active', 'org-off': 'inactive' }) as const)[id],
  instanceId: () => 'instance-1',
  clock: () => instant(1000),
})

const methodOf = (name: string): Method => ({
  descriptor: allMethods.get(name) ?? assert.fail(`no method ${name}`),
  handle: async () => ({}),
})

const approach = (headers: Readonly<Record<string, string>>): Approach => ({
  header: (name) => headers[name],
  requestId: 'r1',
  signal: new AbortController().signal,
})

const enter = (name: string, bearer?: string, organization?: string): Promise<Admission> =>
  admit(
    methodOf(name),
    approach({
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(organization && { 'x-service-orgid': organization }),
    }),
  )

/** `+` let in, `U` unauthenticated, `F` forbidden, `N` not found, `I` invalid. */
const outcome = async (entering: Promise<Admission>): Promise<string> => {
  try {
    await entering
    return '+'
  } catch (error) {
    assert.ok(error instanceof Refused, String(error))
    return { unauthenticated: 'U', forbidden: 'F', not_found: 'N', invalid: 'I' }[error.kind as 'invalid']
  }
}

/** Who comes, with the header of which organization. The order of the letters in the table below. */
// biome-ignore format: one line for each group of letters
const COLUMNS: readonly (readonly [bearer: string | undefined, organization?: string])[] = [
  [undefined], ['garbage'], ['nobody'], ['confused'], // nothing, a bad token, no roles, roles at the wrong level
  ['orgViewer'], ['orgManager'], ['orgOwner'], // in their own organization
  ['login'], ['manager'], ['viewer'], ['owner'], // on the instance
  ['orgOwner', 'org-b'], ['owner', 'org-b'], ['owner', 'org-off'], // with the header of another organization
  ['nobody', 'no-such-org'], ['orgOwner', 'no-such-org'], ['owner', 'no-such-org'],
]

const PUBLIC = '+U++ +++ ++++ +++ +++'
const SIGNED_IN = 'UU++ +++ ++++ F++ FFF'
const SELF = 'UU++ +++ ++++ F++ FFN'
const INSTANCE_READ = 'UUFF FFF +F++ F++ FFN'
const INSTANCE_AUDIT = 'UUFF FFF FF++ F++ FFN'
const INSTANCE_MEMBERS = 'UUFF FFF +FF+ F++ FFN'
const INSTANCE_OWNER = 'UUFF FFF FFF+ F++ FFN'
const USER_READ = 'UUFF +++ ++++ F++ FFN'
const USER_GLOBAL_READ = 'UUFF +++ F+++ F++ FFN'
const USER_WRITE = 'UUFF F++ ++F+ F++ FFN'
const USER_DELETE = 'UUFF F++ F+F+ F++ FFN'
const SESSION_WRITE = 'UUFF FFF +FF+ F++ FFN'
const POLICY_READ = 'UUFF +++ ++++ F++ FFN'
const ORG_READ = 'UUFF +++ ++++ F++ FFN'
const ORG_WRITE = 'UUFF FF+ FFF+ F++ FFN'
const MEMBER_READ = 'UUFF +F+ ++++ F++ FFN'
const MEMBER_WRITE = 'UUFF FF+ +FF+ F++ FFN'

// biome-ignore format: it is a table
const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'signet.admin.v1.AdminService': {
    Healthz: PUBLIC, GetMyInstance: INSTANCE_READ, GetDefaultOrg: INSTANCE_READ,
    ListIAMMemberRoles: INSTANCE_READ, ListIAMMembers: INSTANCE_READ,
    AddIAMMember: INSTANCE_MEMBERS, UpdateIAMMember: INSTANCE_MEMBERS, RemoveIAMMember: INSTANCE_OWNER,
    ListEventTypes: INSTANCE_AUDIT, ListEvents: INSTANCE_AUDIT, ListAggregateTypes: INSTANCE_AUDIT,
    GetSupportedLanguages: SIGNED_IN, GetDefaultLanguage: INSTANCE_READ, GetSMTPConfig: INSTANCE_READ,
    GetSMTPConfigById: INSTANCE_READ, ListSMTPConfigs: INSTANCE_READ, ListEmailProviders: INSTANCE_READ,
    GetEmailProvider: INSTANCE_READ, GetEmailProviderById: INSTANCE_READ, ListSMSProviders: INSTANCE_READ,
    GetSMSProvider: INSTANCE_READ, GetPasswordComplexityPolicy: INSTANCE_READ, GetLockoutPolicy: INSTANCE_READ,
    SetDefaultLanguage: INSTANCE_OWNER, AddSMTPConfig: INSTANCE_OWNER, UpdateSMTPConfig: INSTANCE_OWNER,
    UpdateSMTPConfigPassword: INSTANCE_OWNER, ActivateSMTPConfig: INSTANCE_OWNER, DeactivateSMTPConfig: INSTANCE_OWNER,
    RemoveSMTPConfig: INSTANCE_OWNER, TestSMTPConfigById: INSTANCE_OWNER, TestSMTPConfig: INSTANCE_OWNER,
    AddEmailProviderSMTP: INSTANCE_OWNER, UpdateEmailProviderSMTP: INSTANCE_OWNER,
    UpdateEmailProviderSMTPPassword: INSTANCE_OWNER, ActivateEmailProvider: INSTANCE_OWNER,
    DeactivateEmailProvider: INSTANCE_OWNER, RemoveEmailProvider: INSTANCE_OWNER,
    TestEmailProviderSMTPById: INSTANCE_OWNER, TestEmailProviderSMTP: INSTANCE_OWNER,
    AddSMSProviderHTTP: INSTANCE_OWNER, UpdateSMSProviderHTTP: INSTANCE_OWNER, ActivateSMSProvider: INSTANCE_OWNER,
    DeactivateSMSProvider: INSTANCE_OWNER, RemoveSMSProvider: INSTANCE_OWNER,
    UpdatePasswordComplexityPolicy: INSTANCE_OWNER, UpdateLockoutPolicy: INSTANCE_OWNER,
    GetLoginPolicy: INSTANCE_READ, ListLoginPolicySecondFactors: INSTANCE_READ,
    ListLoginPolicyMultiFactors: INSTANCE_READ, UpdateLoginPolicy: INSTANCE_OWNER,
    AddSecondFactorToLoginPolicy: INSTANCE_OWNER, RemoveSecondFactorFromLoginPolicy: INSTANCE_OWNER,
    AddMultiFactorToLoginPolicy: INSTANCE_OWNER, RemoveMultiFactorFromLoginPolicy: INSTANCE_OWNER,
  },
  'signet.auth.v1.AuthService': { Healthz: PUBLIC, GetMyUser: SIGNED_IN, ListMyMemberships: SIGNED_IN },
  'signet.internal_permission.v2.InternalPermissionService': {
    ListAdministrators: MEMBER_READ, CreateAdministrator: MEMBER_WRITE, UpdateAdministrator: MEMBER_WRITE,
    DeleteAdministrator: ORG_WRITE,
  },
  'signet.management.v1.ManagementService': {
    Healthz: PUBLIC, GetUserByID: USER_READ, GetUserByLoginNameGlobal: USER_GLOBAL_READ, ListUsers: USER_READ,
    IsUserUnique: USER_READ, AddMachineUser: USER_WRITE, UpdateMachine: USER_WRITE, GenerateMachineSecret: USER_WRITE,
    RemoveMachineSecret: USER_WRITE, GetMachineKeyByIDs: USER_READ, ListMachineKeys: USER_READ,
    AddMachineKey: USER_WRITE, RemoveMachineKey: USER_WRITE, GetPersonalAccessTokenByIDs: USER_READ,
    ListPersonalAccessTokens: USER_READ, AddPersonalAccessToken: USER_WRITE, RemovePersonalAccessToken: USER_WRITE,
    DeactivateUser: USER_WRITE, ReactivateUser: USER_WRITE, LockUser: USER_WRITE, UnlockUser: USER_WRITE,
    RemoveUser: USER_DELETE, UpdateUserName: USER_WRITE,
    GetMyOrg: ORG_READ, AddOrg: INSTANCE_OWNER, UpdateOrg: ORG_WRITE, DeactivateOrg: ORG_WRITE,
    ReactivateOrg: ORG_WRITE, RemoveOrg: ORG_WRITE, ListOrgMemberRoles: MEMBER_READ, ListOrgMembers: MEMBER_READ,
    AddOrgMember: MEMBER_WRITE, UpdateOrgMember: MEMBER_WRITE, RemoveOrgMember: ORG_WRITE,
    AddHumanUser: USER_WRITE, SetUserMetadata: USER_WRITE, BulkSetUserMetadata: USER_WRITE,
    RemoveUserMetadata: USER_WRITE, ListUserMetadata: USER_READ, GetUserMetadata: USER_READ,
    GetPasswordComplexityPolicy: POLICY_READ, GetLockoutPolicy: POLICY_READ,
    AddCustomPasswordComplexityPolicy: ORG_WRITE, UpdateCustomPasswordComplexityPolicy: ORG_WRITE,
    ResetPasswordComplexityPolicyToDefault: ORG_WRITE, AddCustomLockoutPolicy: ORG_WRITE,
    UpdateCustomLockoutPolicy: ORG_WRITE, ResetLockoutPolicyToDefault: ORG_WRITE,
    GetLoginPolicy: POLICY_READ, GetDefaultLoginPolicy: POLICY_READ, ListLoginPolicySecondFactors: POLICY_READ,
    ListLoginPolicyMultiFactors: POLICY_READ, AddCustomLoginPolicy: ORG_WRITE, UpdateCustomLoginPolicy: ORG_WRITE,
    ResetLoginPolicyToDefault: ORG_WRITE, AddSecondFactorToLoginPolicy: ORG_WRITE,
    RemoveSecondFactorFromLoginPolicy: ORG_WRITE, AddMultiFactorToLoginPolicy: ORG_WRITE,
    RemoveMultiFactorFromLoginPolicy: ORG_WRITE,
  },
  'signet.mail.v1.MailService': {
    ListInboxMails: INSTANCE_OWNER, WaitForMail: INSTANCE_OWNER, DeleteInboxMails: INSTANCE_OWNER,
    ResendParkedMails: INSTANCE_OWNER, ListParkedMails: INSTANCE_READ, GetMessageText: POLICY_READ,
    ListMessageTexts: POLICY_READ, SetMessageText: ORG_WRITE, ResetMessageText: ORG_WRITE,
  },
  'signet.session.v2.SessionService': {
    CreateSession: SESSION_WRITE, SetSession: SIGNED_IN, GetSession: SIGNED_IN, ListSessions: SIGNED_IN,
    DeleteSession: SIGNED_IN,
  },
  'signet.settings.v2.SettingsService': {
    GetGeneralSettings: POLICY_READ, GetPasswordComplexitySettings: POLICY_READ, GetDomainSettings: POLICY_READ,
    GetLockoutSettings: POLICY_READ, ListOrganizationSettings: POLICY_READ, SetOrganizationSettings: INSTANCE_OWNER,
    DeleteOrganizationSettings: INSTANCE_OWNER, GetLoginSettings: POLICY_READ,
  },
  // AddOrganization asks for the permission on the instance itself: an owner of an organization gets past the gate only.
  'signet.org.v2.OrganizationService': {
    AddOrganization: ORG_WRITE, UpdateOrganization: ORG_WRITE, ListOrganizations: ORG_READ,
    DeleteOrganization: ORG_WRITE, AddOrganizationDomain: ORG_WRITE, ListOrganizationDomains: ORG_READ,
    DeleteOrganizationDomain: ORG_WRITE, GenerateOrganizationDomainValidation: ORG_WRITE,
    VerifyOrganizationDomain: ORG_WRITE, DeactivateOrganization: ORG_WRITE, ActivateOrganization: ORG_WRITE,
  },
  'signet.user.v2.UserService': {
    CreateUser: USER_WRITE, GetUserByID: SELF, ListUsers: SELF, DeactivateUser: USER_WRITE, ReactivateUser: USER_WRITE,
    LockUser: USER_WRITE, UnlockUser: USER_WRITE, DeleteUser: USER_DELETE, AddSecret: SELF, RemoveSecret: SELF,
    AddKey: SELF, RemoveKey: SELF, ListKeys: SELF, AddPersonalAccessToken: SELF, RemovePersonalAccessToken: SELF,
    ListPersonalAccessTokens: SELF,
    AddHumanUser: USER_WRITE, CreateInviteCode: USER_WRITE, ResendInviteCode: USER_WRITE, SetUserMetadata: USER_WRITE,
    DeleteUserMetadata: USER_WRITE, UpdateUser: SELF, UpdateHumanUser: SELF, SetEmail: SELF, ResendEmailCode: SELF,
    SendEmailCode: SELF, SetPhone: SELF, RemovePhone: SELF, ResendPhoneCode: SELF, PasswordReset: SELF,
    ListAuthenticationMethodTypes: SELF, ListUserMetadata: SELF, VerifyEmail: SIGNED_IN, VerifyPhone: SIGNED_IN,
    SetPassword: SIGNED_IN, VerifyInviteCode: SIGNED_IN,
    RegisterTOTP: SELF, VerifyTOTPRegistration: SELF, RemoveTOTP: SELF, AddOTPSMS: SELF, RemoveOTPSMS: SELF,
    AddOTPEmail: SELF, RemoveOTPEmail: SELF, GenerateRecoveryCodes: SELF, RemoveRecoveryCodes: SELF,
    ListAuthenticationFactors: SELF,
    RegisterPasskey: SIGNED_IN, VerifyPasskeyRegistration: SELF, CreatePasskeyRegistrationLink: SELF,
    ListPasskeys: SELF, RenamePasskey: SELF, RemovePasskey: SELF, RegisterU2F: SELF, VerifyU2FRegistration: SELF,
    RenameU2F: SELF, RemoveU2F: SELF,
  },
}

suite('the gate, method by method', () => {
  test('every method of the contract stands in the table, and nothing else', () => {
    const listed = Object.entries(TABLE).flatMap(([service, row]) =>
      Object.keys(row).map((name) => `${service}/${name}`),
    )
    assert.deepEqual(listed.sort(), [...allMethods.keys()].sort())
  })

  for (const [service, row] of Object.entries(TABLE)) {
    test(`${service} lets in whom the table lets in`, async () => {
      for (const [name, expected] of Object.entries(row)) {
        const found: string[] = []
        for (const [bearer, organization] of COLUMNS) {
          found.push(await outcome(enter(`${service}/${name}`, bearer, organization)))
        }
        assert.equal(found.join(''), expected.replaceAll(' ', ''), name)
      }
    })
  }

  test('the contract says of every method who may call it', () => {
    checkMethods([...allMethods.keys()].map(methodOf))
  })
})

const CONTEXT_METHOD = 'signet.management.v1.ManagementService/GetMyOrg'
const TARGET_METHOD = 'signet.org.v2.OrganizationService/UpdateOrganization'
const SELF_METHOD = 'signet.user.v2.UserService/GetUserByID'

suite('the gate', () => {
  test('a bearer in another form than RFC 6750 gives it is refused', async () => {
    for (const authorization of [
      'Bearer',
      'Bearer ',
      'owner',
      'Basic owner',
      'Bearer owner x',
      'Bearer owner,',
      'Bearer öwner',
      `Bearer ${'o'.repeat(20_000)}`,
    ]) {
      assert.equal(await outcome(admit(methodOf(CONTEXT_METHOD), approach({ authorization }))), 'U', authorization)
    }
    assert.equal(await outcome(admit(methodOf(CONTEXT_METHOD), approach({ authorization: 'bEARER  owner' }))), '+')
  })

  test('the organization of the call is the one of the header, else the own one', async () => {
    assert.equal((await enter(CONTEXT_METHOD, 'owner')).call.organizationId, 'org-a')
    assert.equal((await enter(CONTEXT_METHOD, 'owner', 'org-b')).call.organizationId, 'org-b')
    const alias = approach({ authorization: 'Bearer owner', 'x-zitadel-orgid': 'org-b' })
    assert.equal((await admit(methodOf(CONTEXT_METHOD), alias)).call.organizationId, 'org-b')
  })

  test('two headers must name the same organization', async () => {
    const headers = { authorization: 'Bearer owner', 'x-service-orgid': 'org-a' }
    const method = methodOf(CONTEXT_METHOD)
    assert.equal(await outcome(admit(method, approach({ ...headers, 'x-zitadel-orgid': 'org-b' }))), 'I')
    assert.equal(await outcome(admit(method, approach({ ...headers, 'x-zitadel-orgid': 'org-a' }))), '+')
    assert.equal(await outcome(admit(method, approach({ ...headers, 'x-zitadel-orgid': '' }))), '+')
  })

  test('the call knows who writes and when', async () => {
    const { call } = await enter(CONTEXT_METHOD, 'orgOwner')
    assert.deepEqual(call.origin, { actor: 'orgOwner', at: 1000 })
    assert.equal(call.isAnonymous, false)
  })

  test('a public method has no caller to speak of', async () => {
    const { call, finish } = await enter('signet.admin.v1.AdminService/Healthz')
    finish()
    assert.equal(call.isAnonymous, true)
    assert.throws(() => call.caller, { code: 'access.unauthenticated' })
  })

  test('the permission on the target is the one in the organization that owns it', async () => {
    const { call } = await enter(TARGET_METHOD, 'orgOwner')
    call.authorize('org-a')
    assert.throws(() => call.authorize('org-b'), { code: 'access.forbidden' })
    assert.throws(() => call.authorize('instance-1'), { code: 'access.forbidden' })
    assert.throws(() => call.authorize('org-b', 'orgOwner'), { code: 'access.forbidden' }, 'this method has no self')
    const instance = (await enter(TARGET_METHOD, 'owner')).call
    instance.authorize('org-b')
    instance.authorize('instance-1')
  })

  test('everybody may do to themself what the contract says so of, and to nobody else', async () => {
    const { call } = await enter(SELF_METHOD, 'nobody')
    call.authorize('org-a', 'nobody')
    assert.throws(() => call.authorize('org-a', 'owner'), { code: 'access.forbidden' })
    assert.throws(() => call.authorize('org-a'), { code: 'access.forbidden' })
  })

  test('a handler that never asked gets no reply out', async () => {
    const silent = await enter(TARGET_METHOD, 'owner')
    assert.throws(
      () => silent.finish(),
      (error: Error) => !(error instanceof Refused),
    )
    const asking = await enter(TARGET_METHOD, 'owner')
    asking.call.authorize('org-a')
    asking.finish()
    const listing = await enter(TARGET_METHOD, 'owner')
    assert.equal(listing.call.visibleOwners(), 'all')
    listing.finish()
    ;(await enter(CONTEXT_METHOD, 'owner')).finish()
  })

  test('lists are narrowed to the organizations in which the caller holds the permission', async () => {
    assert.deepEqual((await enter(TARGET_METHOD, 'orgOwner')).call.visibleOwners(), ['org-a'])
    assert.deepEqual((await enter(SELF_METHOD, 'nobody')).call.visibleOwners(), [])
  })

  test('other permissions can be asked for, which does not count as having asked', async () => {
    const { call, finish } = await enter(TARGET_METHOD, 'orgOwner')
    assert.equal(call.may('user.write', 'org-a'), true)
    assert.equal(call.may('user.write', 'org-b'), false)
    assert.equal(call.may('iam.write', 'instance-1'), false)
    assert.throws(finish)
  })

  test('a method of which the contract does not say who may call it is refused at the start', () => {
    const method = methodOf(CONTEXT_METHOD)
    const stripped = { ...method.descriptor, proto: { ...method.descriptor.proto, options: undefined } }
    const nameless = { ...method, descriptor: stripped as unknown as Method['descriptor'] }
    assert.throws(() => checkMethods([method, nameless]), /GetMyOrg: the contract does not say who may call it/)
  })
})
