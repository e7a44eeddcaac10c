/**
 * Every method that changes something and that a role below the owner of the instance can call, with the rule that keeps
 * it from touching a user with more rights. A new method without a line fails the test.
 */

import { allMethods } from '../support/services.ts'

/** Why a method cannot be used against a user with more rights. */
export type PrivilegeRule =
  /** It changes one user: the caller must cover that user. */
  | 'person'
  /** It gives or takes roles: the caller must hold those roles. */
  | 'roles'
  /** It asks for a secret that only the user has, or starts from one. */
  | 'proof'
  /** It sends the user what an anonymous visitor can send them too. */
  | 'public'
  /** It controls something that applies to users; the scenario of this name shows that it does not apply to these. */
  | 'provider'
  | 'policy'
  | 'text'
  | 'organization'
  /** It changes no user that exists. */
  | 'none'

const MANAGEMENT = 'signet.management.v1.ManagementService'
const USERS = 'signet.user.v2.UserService'
const APPLICATIONS = 'signet.application.v2.ApplicationService'
const ORGANIZATIONS = 'signet.org.v2.OrganizationService'

function rows(service: string, rule: PrivilegeRule, names: string): Record<string, PrivilegeRule> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [`${service}/${name}`, rule]))
}

export const PRIVILEGE_RULES: Readonly<Record<string, PrivilegeRule>> = {
  ...rows('signet.admin.v1.AdminService', 'roles', 'AddIAMMember UpdateIAMMember'),
  ...rows(
    'signet.internal_permission.v2.InternalPermissionService',
    'roles',
    'CreateAdministrator UpdateAdministrator DeleteAdministrator',
  ),
  ...rows('signet.mail.v1.MailService', 'text', 'SetMessageText ResetMessageText'),
  ...rows(
    MANAGEMENT,
    'text',
    [...allMethods.keys()]
      .flatMap((name) => /ManagementService\/((Set|Reset)\w+Message(Custom)?Text(ToDefault)?)$/.exec(name)?.[1] ?? [])
      .join(' '),
  ),
  ...rows('signet.settings.v2.SettingsService', 'text', 'SetPageTexts ResetPageTexts'),
  ...rows('signet.settings.v2.SettingsService', 'none', 'SetLinkSettings ResetLinkSettings'),
  ...rows('signet.session.v2.SessionService', 'person', 'SetSession DeleteSession'),
  ...rows('signet.session.v2.SessionService', 'proof', 'CreateSession'),
  // They ask for the current token of the user's session.
  ...rows('signet.oidc.v2.OIDCService', 'proof', 'CreateCallback AuthorizeOrDenyDeviceAuthorization'),
  ...rows('signet.saml.v2.SAMLService', 'proof', 'CreateResponse'),

  ...rows(
    MANAGEMENT,
    'person',
    `UpdateMachine GenerateMachineSecret RemoveMachineSecret AddMachineKey RemoveMachineKey AddPersonalAccessToken
    RemovePersonalAccessToken DeactivateUser ReactivateUser LockUser UnlockUser RemoveUser UpdateUserName SetUserMetadata
    BulkSetUserMetadata RemoveUserMetadata BulkRemoveUserMetadata UpdateHumanProfile UpdateHumanEmail
    ResendHumanInitialization ResendHumanEmailVerification UpdateHumanPhone RemoveHumanPhone
    ResendHumanPhoneVerification SetHumanInitialPassword SetHumanPassword RemoveHumanAuthFactorOTP
    RemoveHumanAuthFactorU2F RemoveHumanAuthFactorOTPSMS RemoveHumanAuthFactorOTPEmail AddPasswordlessRegistration
    SendPasswordlessRegistration RemoveHumanPasswordless RemoveHumanLinkedIDP RemoveHumanAvatar`,
  ),
  ...rows(
    MANAGEMENT,
    'roles',
    `AddOrgMember UpdateOrgMember RemoveOrgMember AddProjectMember UpdateProjectMember RemoveProjectMember
    AddProjectGrantMember UpdateProjectGrantMember RemoveProjectGrantMember`,
  ),
  // Roles of a project are rights in its applications, not on this server: its administrators give them to everybody.
  ...rows(
    MANAGEMENT,
    'none',
    `AddProject UpdateProject DeactivateProject ReactivateProject RemoveProject AddProjectRole BulkAddProjectRoles
    UpdateProjectRole RemoveProjectRole AddProjectGrant UpdateProjectGrant DeactivateProjectGrant ReactivateProjectGrant
    RemoveProjectGrant AddUserGrant UpdateUserGrant DeactivateUserGrant ReactivateUserGrant RemoveUserGrant
    BulkRemoveUserGrant`,
  ),
  ...rows(
    'signet.project.v2.ProjectService',
    'none',
    `SetProjectResources CreateProject UpdateProject DeleteProject DeactivateProject ActivateProject AddProjectRole UpdateProjectRole
    RemoveProjectRole CreateProjectGrant UpdateProjectGrant DeleteProjectGrant DeactivateProjectGrant
    ActivateProjectGrant`,
  ),
  ...rows(
    'signet.authorization.v2.AuthorizationService',
    'none',
    `CreateAuthorization UpdateAuthorization DeleteAuthorization ActivateAuthorization DeactivateAuthorization`,
  ),
  // Through a group users have roles of projects, and no rights on this server.
  ...rows(
    'signet.group.v2.GroupService',
    'none',
    `CreateGroup UpdateGroup DeleteGroup AddUsersToGroup RemoveUsersFromGroup SetGroupMetadata DeleteGroupMetadata`,
  ),
  ...rows('signet.directory_sync.v1.ManagedUserService', 'person', 'DetachUser'),
  // A mark gives nobody a right: without it, the rules of the API decide as they do for everybody.
  ...rows('signet.directory_sync.v1.ManagedUserService', 'none', 'SetManagedUserSettings DetachGroup EndDirectorySync'),
  ...rows(MANAGEMENT, 'organization', 'DeactivateOrg RemoveOrg'),
  ...rows(
    'signet.signal.v1.SignalService',
    'none',
    `DeleteSignalStream CreateTrustedTransmitter UpdateTrustedTransmitter DeleteTrustedTransmitter`,
  ),
  ...rows(
    'signet.webhook.v1.WebhookService',
    'none',
    `CreateWebhook UpdateWebhook DeleteWebhook RotateWebhookSecret PauseWebhook ResumeWebhook TestWebhook ReplayWebhook`,
  ),
  ...rows(
    MANAGEMENT,
    'none',
    `AddHumanUser ImportHumanUser AddMachineUser SetOrgMetadata BulkSetOrgMetadata RemoveOrgMetadata
    BulkRemoveOrgMetadata AddOrgDomain RemoveOrgDomain GenerateOrgDomainValidation ValidateOrgDomain SetPrimaryOrgDomain UpdateOrg ReactivateOrg AddCustomLabelPolicy UpdateCustomLabelPolicy
    ActivateCustomLabelPolicy ResetLabelPolicyToDefault RemoveCustomLabelPolicyLogo RemoveCustomLabelPolicyLogoDark
    RemoveCustomLabelPolicyIcon RemoveCustomLabelPolicyIconDark RemoveCustomLabelPolicyFont AddCustomPrivacyPolicy UpdateCustomPrivacyPolicy
    ResetPrivacyPolicyToDefault`,
  ),
  ...rows(
    MANAGEMENT,
    'policy',
    `AddCustomPasswordComplexityPolicy UpdateCustomPasswordComplexityPolicy ResetPasswordComplexityPolicyToDefault
    AddCustomLockoutPolicy UpdateCustomLockoutPolicy ResetLockoutPolicyToDefault AddCustomLoginPolicy
    UpdateCustomLoginPolicy ResetLoginPolicyToDefault AddSecondFactorToLoginPolicy RemoveSecondFactorFromLoginPolicy
    AddMultiFactorToLoginPolicy RemoveMultiFactorFromLoginPolicy AddIDPToLoginPolicy RemoveIDPFromLoginPolicy
    AddCustomPasswordAgePolicy UpdateCustomPasswordAgePolicy ResetPasswordAgePolicyToDefault AddCustomNotificationPolicy
    UpdateCustomNotificationPolicy ResetNotificationPolicyToDefault`,
  ),
  ...rows(
    MANAGEMENT,
    'provider',
    `AddOrgOIDCIDP AddOrgJWTIDP UpdateOrgIDP DeactivateOrgIDP ReactivateOrgIDP RemoveOrgIDP UpdateOrgIDPOIDCConfig
    UpdateOrgIDPJWTConfig
    AddGenericOIDCProvider UpdateGenericOIDCProvider AddGenericOAuthProvider UpdateGenericOAuthProvider
    AddAzureADProvider UpdateAzureADProvider AddGitHubProvider UpdateGitHubProvider AddGitHubEnterpriseServerProvider
    UpdateGitHubEnterpriseServerProvider AddGitLabProvider UpdateGitLabProvider AddGitLabSelfHostedProvider
    UpdateGitLabSelfHostedProvider AddGoogleProvider UpdateGoogleProvider AddAppleProvider UpdateAppleProvider
    AddLDAPProvider UpdateLDAPProvider AddSAMLProvider UpdateSAMLProvider RegenerateSAMLProviderCertificate
    AddJWTProvider UpdateJWTProvider
    AddZitadelProvider UpdateZitadelProvider MigrateGenericOIDCProvider DeleteProvider`,
  ),

  ...rows(
    MANAGEMENT,
    'none',
    `AddOIDCApp AddAPIApp AddSAMLApp UpdateApp UpdateOIDCAppConfig UpdateAPIAppConfig UpdateSAMLAppConfig DeactivateApp ReactivateApp RemoveApp
    RegenerateOIDCClientSecret RegenerateAPIClientSecret AddAppKey RemoveAppKey`,
  ),
  ...rows(
    APPLICATIONS,
    'none',
    `CreateApplication UpdateApplication DeleteApplication DeactivateApplication ReactivateApplication
    GenerateClientSecret CreateApplicationKey DeleteApplicationKey SetApplicationApiAccess
    StartSignInTrial CreateRegistrationToken DeleteRegisteredClients`,
  ),

  ...rows('signet.application.v2.AgentAccessService', 'person', 'RemoveAgentAccess'),
  // Approvals do not count for users above the organization: test/openid/agent-access.test.ts.
  ...rows('signet.application.v2.AgentAccessService', 'none', 'ApproveAgent WithdrawAgentApproval'),

  ...rows(ORGANIZATIONS, 'organization', 'DeleteOrganization DeactivateOrganization'),
  ...rows(
    ORGANIZATIONS,
    'none',
    `UpdateOrganization AddOrganizationDomain DeleteOrganizationDomain GenerateOrganizationDomainValidation
    VerifyOrganizationDomain ActivateOrganization SetOrganizationMetadata DeleteOrganizationMetadata`,
  ),

  ...rows(
    USERS,
    'person',
    `UpdateUser UpdateHumanUser DeactivateUser ReactivateUser LockUser UnlockUser DeleteUser SetEmail ResendEmailCode
    SendEmailCode SetPhone RemovePhone ResendPhoneCode SetPassword RegisterTOTP VerifyTOTPRegistration RemoveTOTP AddOTPSMS
    RemoveOTPSMS AddOTPEmail RemoveOTPEmail GenerateRecoveryCodes RemoveRecoveryCodes CreateInviteCode ResendInviteCode
    SetUserMetadata DeleteUserMetadata AddSecret RemoveSecret AddKey RemoveKey AddPersonalAccessToken
    RemovePersonalAccessToken AddIDPLink RemoveIDPLink RegisterPasskey CreatePasskeyRegistrationLink RenamePasskey
    RemovePasskey RegisterU2F VerifyU2FRegistration RenameU2F RemoveU2F HumanMFAInitSkipped`,
  ),
  // A registration by link is finished by the login page for the user: its challenge is the proof.
  ...rows(USERS, 'proof', 'VerifyEmail VerifyPhone VerifyInviteCode VerifyPasskeyRegistration'),
  ...rows(USERS, 'public', 'PasswordReset'),
  ...rows(MANAGEMENT, 'public', 'SendHumanResetPasswordNotification'),
  // They act on the caller only.
  ...rows(
    'signet.auth.v1.AuthService',
    'none',
    `UpdateMyProfile UpdateMyUserName UpdateMyPassword SetMyEmail VerifyMyEmail ResendMyEmailVerification SetMyPhone
    VerifyMyPhone ResendMyPhoneVerification RemoveMyPhone RemoveMyLinkedIDP AddMyAuthFactorOTP VerifyMyAuthFactorOTP
    RemoveMyAvatar RemoveMyUser RevokeMyRefreshToken RevokeAllMyRefreshTokens
    RemoveMyAuthFactorOTP AddMyAuthFactorOTPSMS RemoveMyAuthFactorOTPSMS AddMyAuthFactorOTPEmail
    RemoveMyAuthFactorOTPEmail AddMyAuthFactorU2F VerifyMyAuthFactorU2F RemoveMyAuthFactorU2F AddMyPasswordless
    AddMyPasswordlessLink SendMyPasswordlessLink VerifyMyPasswordless RemoveMyPasswordless`,
  ),
  ...rows(USERS, 'none', 'CreateUser AddHumanUser StartIdentityProviderIntent'),
}

/** What shows that something which an organization controls does not apply to a user above it: file, and name of the test. */
export const INDIRECT: Readonly<Record<'provider' | 'policy' | 'text', readonly [file: string, test: string][]>> = {
  provider: [
    ['features/sign-in-intents/above-organization.test.ts', 'an asserted address links no account to an owner'],
    ['features/sign-in-intents/above-organization.test.ts', 'a link from before signs them in no more'],
    ['features/sign-in-intents/above-organization.test.ts', 'another issuer ends the links at once'],
  ],
  policy: [['features/sign-in/above-organization.test.ts', 'the policy of an organization weakens no user']],
  text: [
    ['features/mail/above-organization.test.ts', 'users above an organization get the texts of the instance'],
    [
      'features/settings/page-texts/page-texts.test.ts',
      'what names the buttons of consent comes from the organization of the user alone',
    ],
  ],
}

/** Requests of methods that have more than one way: every one that gives the caller a secret, or a page of their own. */
export const OTHER_WAYS: readonly (readonly [method: string, request: Readonly<Record<string, unknown>>])[] = [
  [`${USERS}/PasswordReset`, { returnCode: {} }],
  [`${USERS}/PasswordReset`, { sendLink: { urlTemplate: 'https://evil.example/?c={{.Code}}' } }],
  [`${USERS}/CreatePasskeyRegistrationLink`, { returnCode: {} }],
  [`${USERS}/CreateInviteCode`, { returnCode: {} }],
  [`${USERS}/SendEmailCode`, { returnCode: {} }],
  [`${USERS}/ResendEmailCode`, { returnCode: {} }],
  [`${USERS}/ResendPhoneCode`, { returnCode: {} }],
  [`${USERS}/SetEmail`, { isVerified: true }],
  [`${USERS}/SetPhone`, { isVerified: true }],
  [`${USERS}/UpdateHumanUser`, { profile: { givenName: 'Eve', familyName: 'Lovelace' } }],
  [`${USERS}/UpdateHumanUser`, { email: { email: 'eve@example.com', isVerified: true } }],
  [`${USERS}/UpdateHumanUser`, { password: { password: { password: 'Correct horse 7 battery' } } }],
  [`${USERS}/UpdateUser`, { metadata: [{ key: 'role', value: 'Ag==' }] }],
  ['signet.session.v2.SessionService/SetSession', { metadata: { a: 'YQ==' } }],
  ['signet.session.v2.SessionService/SetSession', { lifetime: '1s' }],
]
