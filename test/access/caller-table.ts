/** Whom the gate lets in, for every method of the contract: an unlisted one fails the test beside this file. */

/** Who comes, with the header of which organization. The order of the letters in the table below. */
// biome-ignore format: one line for each group of letters
export const COLUMNS: readonly (readonly [bearer: string | undefined, organization?: string])[] = [
  [undefined], ['garbage'], ['nobody'], ['confused'], // nothing, a bad token, no roles, roles at the wrong level
  ['orgViewer'], ['orgManager'], ['orgOwner'], // in their own organization
  ['login'], ['manager'], ['viewer'], ['owner'], // on the instance
  ['orgOwner', 'org-b'], ['owner', 'org-b'], ['owner', 'org-off'], // with the header of another organization
  ['nobody', 'no-such-org'], ['orgOwner', 'no-such-org'], ['owner', 'no-such-org'],
]

const PUBLIC = '++++ +++ ++++ +++ +++'
const SIGNED_IN = 'UU++ +++ ++++ F++ FFN'
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
const IDP_READ = 'UUFF +F+ +F++ F++ FFN'
const MEMBER_READ = 'UUFF +F+ ++++ F++ FFN'
const MEMBER_WRITE = 'UUFF FF+ +FF+ F++ FFN'

/** By service and method: a letter for each column, `+` let in, `U` unauthenticated, `F` forbidden, `N` not found. */
// biome-ignore format: it is a table
export const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'grpc.health.v1.Health': { Check: PUBLIC },
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
    GetIDPByID: INSTANCE_READ, ListIDPs: INSTANCE_READ, AddOIDCIDP: INSTANCE_OWNER, UpdateIDP: INSTANCE_OWNER,
    DeactivateIDP: INSTANCE_OWNER, ReactivateIDP: INSTANCE_OWNER, RemoveIDP: INSTANCE_OWNER,
    UpdateIDPOIDCConfig: INSTANCE_OWNER, ListProviders: INSTANCE_READ, GetProviderByID: INSTANCE_READ,
    DeleteProvider: INSTANCE_OWNER, AddGenericOIDCProvider: INSTANCE_OWNER, UpdateGenericOIDCProvider: INSTANCE_OWNER,
    AddGenericOAuthProvider: INSTANCE_OWNER, UpdateGenericOAuthProvider: INSTANCE_OWNER,
    AddAzureADProvider: INSTANCE_OWNER, UpdateAzureADProvider: INSTANCE_OWNER, AddGitHubProvider: INSTANCE_OWNER,
    UpdateGitHubProvider: INSTANCE_OWNER, AddGitHubEnterpriseServerProvider: INSTANCE_OWNER,
    UpdateGitHubEnterpriseServerProvider: INSTANCE_OWNER, AddGitLabProvider: INSTANCE_OWNER,
    UpdateGitLabProvider: INSTANCE_OWNER, AddGitLabSelfHostedProvider: INSTANCE_OWNER,
    UpdateGitLabSelfHostedProvider: INSTANCE_OWNER, AddGoogleProvider: INSTANCE_OWNER,
    UpdateGoogleProvider: INSTANCE_OWNER, AddAppleProvider: INSTANCE_OWNER, UpdateAppleProvider: INSTANCE_OWNER,
    GetLoginPolicy: INSTANCE_READ, ListLoginPolicySecondFactors: INSTANCE_READ,
    ListLoginPolicyMultiFactors: INSTANCE_READ, UpdateLoginPolicy: INSTANCE_OWNER,
    AddSecondFactorToLoginPolicy: INSTANCE_OWNER, RemoveSecondFactorFromLoginPolicy: INSTANCE_OWNER,
    AddMultiFactorToLoginPolicy: INSTANCE_OWNER, RemoveMultiFactorFromLoginPolicy: INSTANCE_OWNER,
    ListLoginPolicyIDPs: INSTANCE_READ, AddIDPToLoginPolicy: INSTANCE_OWNER, RemoveIDPFromLoginPolicy: INSTANCE_OWNER,
  },
  'signet.auth.v1.AuthService': { Healthz: PUBLIC, GetMyUser: SIGNED_IN, ListMyMemberships: SIGNED_IN },
  'signet.idp.v2.IdentityProviderService': { GetIDPByID: IDP_READ },
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
    GetOrgIDPByID: IDP_READ, ListOrgIDPs: IDP_READ, AddOrgOIDCIDP: ORG_WRITE, UpdateOrgIDP: ORG_WRITE,
    DeactivateOrgIDP: ORG_WRITE, ReactivateOrgIDP: ORG_WRITE, RemoveOrgIDP: ORG_WRITE,
    UpdateOrgIDPOIDCConfig: ORG_WRITE, ListProviders: IDP_READ, GetProviderByID: IDP_READ, DeleteProvider: ORG_WRITE,
    AddGenericOIDCProvider: ORG_WRITE, UpdateGenericOIDCProvider: ORG_WRITE, AddGenericOAuthProvider: ORG_WRITE,
    UpdateGenericOAuthProvider: ORG_WRITE, AddAzureADProvider: ORG_WRITE, UpdateAzureADProvider: ORG_WRITE,
    AddGitHubProvider: ORG_WRITE, UpdateGitHubProvider: ORG_WRITE, AddGitHubEnterpriseServerProvider: ORG_WRITE,
    UpdateGitHubEnterpriseServerProvider: ORG_WRITE, AddGitLabProvider: ORG_WRITE, UpdateGitLabProvider: ORG_WRITE,
    AddGitLabSelfHostedProvider: ORG_WRITE, UpdateGitLabSelfHostedProvider: ORG_WRITE, AddGoogleProvider: ORG_WRITE,
    UpdateGoogleProvider: ORG_WRITE, AddAppleProvider: ORG_WRITE, UpdateAppleProvider: ORG_WRITE,
    GetLoginPolicy: POLICY_READ, GetDefaultLoginPolicy: POLICY_READ, ListLoginPolicySecondFactors: POLICY_READ,
    ListLoginPolicyMultiFactors: POLICY_READ, AddCustomLoginPolicy: ORG_WRITE, UpdateCustomLoginPolicy: ORG_WRITE,
    ResetLoginPolicyToDefault: ORG_WRITE, AddSecondFactorToLoginPolicy: ORG_WRITE,
    RemoveSecondFactorFromLoginPolicy: ORG_WRITE, AddMultiFactorToLoginPolicy: ORG_WRITE,
    RemoveMultiFactorFromLoginPolicy: ORG_WRITE, ListLoginPolicyIDPs: POLICY_READ, AddIDPToLoginPolicy: ORG_WRITE,
    RemoveIDPFromLoginPolicy: ORG_WRITE,
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
    DeleteOrganizationSettings: INSTANCE_OWNER, GetActiveIdentityProviders: POLICY_READ, GetLoginSettings: POLICY_READ,
    GetSecuritySettings: INSTANCE_READ, SetSecuritySettings: INSTANCE_OWNER,
  },
  // AddOrganization asks for the permission on the instance itself: an owner of an organization gets past the gate only.
  'signet.org.v2.OrganizationService': {
    AddOrganization: ORG_WRITE, UpdateOrganization: ORG_WRITE, ListOrganizations: ORG_READ,
    DeleteOrganization: ORG_WRITE, AddOrganizationDomain: ORG_WRITE, ListOrganizationDomains: ORG_READ,
    DeleteOrganizationDomain: ORG_WRITE, GenerateOrganizationDomainValidation: ORG_WRITE,
    VerifyOrganizationDomain: ORG_WRITE, DeactivateOrganization: ORG_WRITE, ActivateOrganization: ORG_WRITE,
    SetOrganizationMetadata: ORG_WRITE, ListOrganizationMetadata: ORG_READ, DeleteOrganizationMetadata: ORG_WRITE,
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
    SetPassword: SIGNED_IN, VerifyInviteCode: SIGNED_IN, StartIdentityProviderIntent: SIGNED_IN,
    RetrieveIdentityProviderIntent: SIGNED_IN,
    AddIDPLink: USER_WRITE, ListIDPLinks: SELF, RemoveIDPLink: SELF,
    RegisterTOTP: SELF, VerifyTOTPRegistration: SELF, RemoveTOTP: SELF, AddOTPSMS: SELF, RemoveOTPSMS: SELF,
    AddOTPEmail: SELF, RemoveOTPEmail: SELF, GenerateRecoveryCodes: SELF, RemoveRecoveryCodes: SELF,
    ListAuthenticationFactors: SELF,
    RegisterPasskey: SIGNED_IN, VerifyPasskeyRegistration: SELF, CreatePasskeyRegistrationLink: SELF,
    ListPasskeys: SELF, RenamePasskey: SELF, RemovePasskey: SELF, RegisterU2F: SELF, VerifyU2FRegistration: SELF,
    RenameU2F: SELF, RemoveU2F: SELF, HumanMFAInitSkipped: SELF,
  },
}
