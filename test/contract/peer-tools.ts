/** The methods that the tools of ZITADEL call: its login app, and its Terraform provider by what they are about. */

type Methods = Readonly<Record<string, string>>

/** The login app. */
export const LOGIN_APP: Methods = {
  'user.v2.UserService': `AddHumanUser AddIDPLink AddOTPEmail AddOTPSMS CreateInviteCode CreatePasskeyRegistrationLink CreateUser
    GetUserByID ListAuthenticationMethodTypes ListIDPLinks ListUsers PasswordReset RegisterPasskey RegisterTOTP RegisterU2F
    ResendEmailCode RetrieveIdentityProviderIntent SendEmailCode SetPassword StartIdentityProviderIntent UpdateHumanUser
    UpdateUser VerifyEmail VerifyInviteCode VerifyPasskeyRegistration VerifyTOTPRegistration VerifyU2FRegistration
    HumanMFAInitSkipped`,
  'session.v2.SessionService': 'CreateSession DeleteSession GetSession ListSessions SetSession',
  'settings.v2.SettingsService': `GetActiveIdentityProviders GetBrandingSettings GetGeneralSettings GetHostedLoginTranslation
    GetLegalAndSupportSettings GetLockoutSettings GetLoginSettings GetPasswordComplexitySettings
    GetPasswordExpirySettings GetSecuritySettings`,
  'org.v2.OrganizationService': 'ListOrganizations',
  'idp.v2.IdentityProviderService': 'GetIDPByID',
  'internal_permission.v2.InternalPermissionService': 'ListAdministrators CreateAdministrator UpdateAdministrator',
  'oidc.v2.OIDCService':
    'GetAuthRequest CreateCallback GetDeviceAuthorizationRequest AuthorizeOrDenyDeviceAuthorization',
  'saml.v2.SAMLService': 'GetSAMLRequest CreateResponse',
}

const MESSAGES =
  'Init PasswordReset VerifyEmail VerifyPhone VerifySMSOTP VerifyEmailOTP DomainClaimed PasswordlessRegistration PasswordChange'
const PROVIDERS = 'GenericOAuth GenericOIDC AzureAD GitHub GitHubEnterpriseServer GitLab GitLabSelfHosted Google Apple'

/** Each of the names in the place of `*`. */
function each(names: string, ...patterns: readonly string[]): string {
  return names
    .split(' ')
    .flatMap((name) => patterns.map((pattern) => pattern.replace('*', name)))
    .join(' ')
}

/** The text of a message is set under two names in an organization. */
const setInOrganization = (name: string) =>
  /^(DomainClaimed|PasswordlessRegistration|PasswordChange)$/.test(name)
    ? `SetCustom${name}MessageCustomText`
    : `SetCustom${name}MessageText`

/** The Terraform provider. */
export const TERRAFORM: Methods = {
  'admin.v1.AdminService': `
    GetOrgByID ListOrgs RemoveOrg SetDefaultOrg GetDefaultOrg GetOIDCSettings UpdateOIDCSettings GetRestrictions SetRestrictions
    GetSecretGenerator UpdateSecretGenerator
    AddEmailProviderSMTP UpdateEmailProviderSMTP UpdateEmailProviderSMTPPassword AddEmailProviderHTTP UpdateEmailProviderHTTP
    GetEmailProviderById RemoveEmailProvider ActivateEmailProvider
    AddSMTPConfig UpdateSMTPConfig UpdateSMTPConfigPassword GetSMTPConfigById ListSMTPConfigs RemoveSMTPConfig ActivateSMTPConfig
    AddSMSProviderHTTP UpdateSMSProviderHTTP AddSMSProviderTwilio UpdateSMSProviderTwilio UpdateSMSProviderTwilioToken
    GetSMSProvider RemoveSMSProvider ActivateSMSProvider
    GetProviderByID ListProviders DeleteProvider ${each(PROVIDERS, 'Add*Provider', 'Update*Provider')}
    ${each('LDAP SAML', 'Add*Provider', 'Update*Provider')}
    GetDomainPolicy UpdateDomainPolicy GetCustomDomainPolicy AddCustomDomainPolicy UpdateCustomDomainPolicy
    ResetCustomDomainPolicyToDefault GetLabelPolicy GetPreviewLabelPolicy UpdateLabelPolicy ActivateLabelPolicy
    GetLockoutPolicy UpdateLockoutPolicy GetLoginPolicy UpdateLoginPolicy AddSecondFactorToLoginPolicy
    RemoveSecondFactorFromLoginPolicy ListLoginPolicySecondFactors AddMultiFactorToLoginPolicy
    RemoveMultiFactorFromLoginPolicy ListLoginPolicyMultiFactors AddIDPToLoginPolicy RemoveIDPFromLoginPolicy
    ListLoginPolicyIDPs GetNotificationPolicy UpdateNotificationPolicy GetPasswordAgePolicy UpdatePasswordAgePolicy
    GetPasswordComplexityPolicy UpdatePasswordComplexityPolicy GetPrivacyPolicy UpdatePrivacyPolicy
    AddIAMMember UpdateIAMMember RemoveIAMMember ListIAMMembers
    GetCustomLoginTexts SetCustomLoginText ResetCustomLoginTextToDefault
    ${each(`${MESSAGES} InviteUser`, 'GetCustom*MessageText', 'SetDefault*MessageText', 'ResetCustom*MessageTextToDefault')}`,
  'management.v1.ManagementService': `
    GetMyOrg AddOrg UpdateOrg ListOrgDomains AddOrgDomain RemoveOrgDomain SetPrimaryOrgDomain GenerateOrgDomainValidation
    GetOrgByDomainGlobal SetOrgMetadata GetOrgMetadata RemoveOrgMetadata AddOrgMember UpdateOrgMember RemoveOrgMember ListOrgMembers
    GetUserByID GetUserByLoginNameGlobal ListUsers RemoveUser UpdateUserName ImportHumanUser UpdateHumanProfile UpdateHumanEmail
    UpdateHumanPhone AddMachineUser UpdateMachine GenerateMachineSecret RemoveMachineSecret AddMachineKey GetMachineKeyByIDs
    RemoveMachineKey AddPersonalAccessToken GetPersonalAccessTokenByIDs RemovePersonalAccessToken
    SetUserMetadata GetUserMetadata ListUserMetadata RemoveUserMetadata AddUserGrant GetUserGrantByID UpdateUserGrant RemoveUserGrant
    AddProject GetProjectByID ListProjects UpdateProject RemoveProject
    AddProjectRole ListProjectRoles UpdateProjectRole RemoveProjectRole
    AddProjectGrant GetProjectGrantByID ListAllProjectGrants UpdateProjectGrant RemoveProjectGrant
    ${each('ProjectMember ProjectGrantMember', 'Add*', 'Update*', 'Remove*', 'List*s')}
    AddOIDCApp AddAPIApp AddSAMLApp GetAppByID ListApps UpdateApp UpdateOIDCAppConfig UpdateAPIAppConfig UpdateSAMLAppConfig
    RemoveApp RegenerateOIDCClientSecret RegenerateAPIClientSecret AddAppKey GetAppKey RemoveAppKey
    GetProviderByID ListProviders DeleteProvider ${each(PROVIDERS, 'Add*Provider', 'Update*Provider')}
    ${each('LDAP SAML', 'Add*Provider', 'Update*Provider')} AddOrgJWTIDP UpdateOrgIDP UpdateOrgIDPJWTConfig GetOrgIDPByID RemoveOrgIDP
    GetDomainPolicy
    ${each('LabelPolicy LockoutPolicy LoginPolicy NotificationPolicy PasswordAgePolicy PasswordComplexityPolicy PrivacyPolicy', 'Get*', 'AddCustom*', 'UpdateCustom*', 'Reset*ToDefault')}
    GetPreviewLabelPolicy ActivateCustomLabelPolicy
    AddSecondFactorToLoginPolicy RemoveSecondFactorFromLoginPolicy ListLoginPolicySecondFactors AddMultiFactorToLoginPolicy
    RemoveMultiFactorFromLoginPolicy ListLoginPolicyMultiFactors AddIDPToLoginPolicy RemoveIDPFromLoginPolicy ListLoginPolicyIDPs
    ListActions CreateAction UpdateAction DeleteAction GetFlow SetTriggerActions
    GetCustomLoginTexts SetCustomLoginText ResetCustomLoginTextToDefault
    ${each(MESSAGES, 'GetCustom*MessageText', 'ResetCustom*MessageTextToDefault')}
    ${MESSAGES.split(' ').map(setInOrganization).join(' ')}`,
  'user.v2.UserService': 'GetUserByID ListUsers CreateUser UpdateUser DeleteUser',
  'org.v2.OrganizationService': `AddOrganization ListOrganizations UpdateOrganization DeleteOrganization AddOrganizationDomain
    ListOrganizationDomains DeleteOrganizationDomain GenerateOrganizationDomainValidation VerifyOrganizationDomain
    SetOrganizationMetadata ListOrganizationMetadata DeleteOrganizationMetadata`,
  'settings.v2.SettingsService':
    'GetSecuritySettings SetSecuritySettings GetHostedLoginTranslation SetHostedLoginTranslation',
  'application.v2.ApplicationService': `CreateApplication GetApplication UpdateApplication DeleteApplication ListApplications
    GenerateClientSecret`,
  'project.v2.ProjectService': 'CreateProject GetProject UpdateProject DeleteProject ListProjects',
  'webkey.v2.WebKeyService': 'CreateWebKey ActivateWebKey DeleteWebKey ListWebKeys',
  'action.v2.ActionService': `CreateTarget UpdateTarget DeleteTarget GetTarget AddPublicKey ActivatePublicKey DeactivatePublicKey
    RemovePublicKey ListPublicKeys SetExecution ListExecutions`,
  'feature.v2.FeatureService': `GetInstanceFeatures SetInstanceFeatures ResetInstanceFeatures GetSystemFeatures SetSystemFeatures
    ResetSystemFeatures`,
  'instance.v2.InstanceService': `GetInstance ListCustomDomains AddCustomDomain RemoveCustomDomain ListTrustedDomains
    AddTrustedDomain RemoveTrustedDomain`,
}

/** What is not served, with the reason. */
export const NOT_SERVED: Readonly<Record<string, readonly string[]>> = {
  'no foreign code runs in the process':
    `ListActions CreateAction UpdateAction DeleteAction GetFlow SetTriggerActions`.split(' '),
  'the pages of the first login do not exist':
    'GetCustomLoginTexts SetCustomLoginText ResetCustomLoginTextToDefault'.split(' '),
  'flags are those of the instance': ['SetSystemFeatures', 'ResetSystemFeatures'],
  'the address of the server is configuration': ['AddCustomDomain', 'RemoveCustomDomain'],
  'tokens have one issuer, whatever the host': ['AddTrustedDomain', 'RemoveTrustedDomain'],
}
