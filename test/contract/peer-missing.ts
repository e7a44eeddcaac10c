/**
 * The methods of the ZITADEL API that its login app, console, Terraform provider or test suites call and that were not
 * served at first, by what they are about. Those that stay refused are named with the reason.
 */

/** A group of methods: full names of services, without our prefix, and the names of their methods. */
type Group = Readonly<Record<string, string>>

const ADMIN = 'admin.v1.AdminService'
const MANAGEMENT = 'management.v1.ManagementService'
const AUTH = 'auth.v1.AuthService'
const SETTINGS = 'settings.v2.SettingsService'
const INSTANCE = 'instance.v2.InstanceService'

const MESSAGES = [
  ...['Init', 'PasswordReset', 'VerifyEmail', 'VerifyPhone', 'VerifySMSOTP', 'VerifyEmailOTP'],
  ...['DomainClaimed', 'PasswordlessRegistration', 'PasswordChange', 'InviteUser'],
]
const FILES = ['Logo', 'LogoDark', 'Icon', 'IconDark', 'Font']

/** Each of the names in the place of `*`. */
function each(names: readonly string[], ...patterns: readonly string[]): string {
  return names.flatMap((name) => patterns.map((pattern) => pattern.replace('*', name))).join(' ')
}

const PROVIDERS = `${each(['SAML', 'LDAP', 'JWT', 'Zitadel'], 'Add*Provider', 'Update*Provider')}
  RegenerateSAMLProviderCertificate MigrateGenericOIDCProvider`

const ACTIONS = `CreateTarget UpdateTarget DeleteTarget GetTarget ListTargets SetExecution ListExecutions
  ListExecutionFunctions ListExecutionMethods ListExecutionServices`

export const GROUPS: Readonly<Record<string, Group>> = {
  'actions v2': {
    'action.v2.ActionService': `${ACTIONS} AddPublicKey ActivatePublicKey DeactivatePublicKey RemovePublicKey ListPublicKeys`,
    'action.v2beta.ActionService': ACTIONS,
  },
  groups: {
    'group.v2.GroupService': `CreateGroup GetGroup ListGroups UpdateGroup DeleteGroup AddUsersToGroup RemoveUsersFromGroup
      ListGroupUsers`,
  },
  'SAML applications': {
    'saml.v2.SAMLService': 'GetSAMLRequest CreateResponse',
    [MANAGEMENT]: 'AddSAMLApp UpdateSAMLAppConfig',
  },
  'identity providers': {
    [ADMIN]: `${PROVIDERS} AddJWTIDP UpdateIDPJWTConfig`,
    [MANAGEMENT]: `${PROVIDERS} AddOrgJWTIDP UpdateOrgIDPJWTConfig`,
  },
  'providers of mails and text messages': {
    [ADMIN]: `AddEmailProviderHTTP UpdateEmailProviderHTTP AddSMSProviderTwilio UpdateSMSProviderTwilio
      UpdateSMSProviderTwilioToken GetFileSystemNotificationProvider GetLogNotificationProvider`,
  },
  'secret generators': { [ADMIN]: 'ListSecretGenerators GetSecretGenerator UpdateSecretGenerator' },
  policies: {
    [ADMIN]: `GetNotificationPolicy AddNotificationPolicy UpdateNotificationPolicy UpdateDomainPolicy AddCustomDomainPolicy
      UpdateCustomDomainPolicy ResetCustomDomainPolicyToDefault GetOrgIAMPolicy UpdateOrgIAMPolicy GetCustomOrgIAMPolicy
      AddCustomOrgIAMPolicy UpdateCustomOrgIAMPolicy ResetCustomOrgIAMPolicyToDefault GetRestrictions SetRestrictions`,
    [MANAGEMENT]: `GetNotificationPolicy AddCustomNotificationPolicy UpdateCustomNotificationPolicy
      ResetNotificationPolicyToDefault GetDefaultNotificationPolicy GetOrgIAMPolicy`,
  },
  pictures: {
    [ADMIN]: each(FILES, 'RemoveLabelPolicy*'),
    [MANAGEMENT]: `${each(FILES, 'RemoveCustomLabelPolicy*')} RemoveHumanAvatar`,
    [AUTH]: 'RemoveMyAvatar',
  },
  'texts of messages': {
    [ADMIN]: each(
      MESSAGES,
      ...['GetDefault*MessageText', 'GetCustom*MessageText', 'SetDefault*MessageText'],
      'ResetCustom*MessageTextToDefault',
    ),
    [MANAGEMENT]: `${each(MESSAGES, 'GetDefault*MessageText', 'GetCustom*MessageText', 'ResetCustom*MessageTextToDefault')}
      ${each(MESSAGES.slice(0, 6), 'SetCustom*MessageText')} ${each(MESSAGES.slice(6), 'SetCustom*MessageCustomText')}`,
  },
  'lists of changes': {
    [MANAGEMENT]: 'ListUserChanges ListOrgChanges ListProjectChanges ListAppChanges ListProjectGrantChanges',
    [AUTH]: 'ListMyUserChanges',
  },
  organizations: { [ADMIN]: 'SetDefaultOrg SetUpOrg', [MANAGEMENT]: 'SetPrimaryOrgDomain' },
  'the own account': { [AUTH]: 'RemoveMyUser ListMyRefreshTokens RevokeMyRefreshToken RevokeAllMyRefreshTokens' },
  'the instance': {
    [INSTANCE]: 'GetInstance ListInstances UpdateInstance ListCustomDomains ListTrustedDomains',
    [ADMIN]: 'ListInstanceTrustedDomains',
    'system.v1.SystemService': 'Healthz',
  },
  operation: { [ADMIN]: 'ListViews ListFailedEvents ActivateFeatureLoginDefaultOrg' },
  'feature flags of the system': { 'feature.v2.FeatureService': 'GetSystemFeatures' },
  links: { [SETTINGS]: 'GetLinkSettings SetLinkSettings ResetLinkSettings GetEffectiveSettings' },
}

/** How many methods the groups have, so that none gets lost. */
export const NUMBER_IN_GROUPS = 212

/** What is refused, by the reason; docs/decisions/0095 says what to use instead. */
export const REFUSED: Readonly<Record<string, Group>> = {
  'no foreign code runs in the process': {
    [MANAGEMENT]: `ListActions GetAction CreateAction UpdateAction DeactivateAction ReactivateAction DeleteAction ListFlowTypes
      ListFlowTriggerTypes GetFlow ClearFlow SetTriggerActions`,
  },
  'the pages of the first login do not exist': {
    [ADMIN]: 'GetDefaultLoginTexts GetCustomLoginTexts SetCustomLoginText ResetCustomLoginTextToDefault',
    [MANAGEMENT]: 'GetDefaultLoginTexts GetCustomLoginTexts SetCustomLoginText ResetCustomLoginTextToDefault',
  },
  'the address of the server is configuration': { [INSTANCE]: 'AddCustomDomain RemoveCustomDomain' },
  'tokens have one issuer, whatever the host': {
    [INSTANCE]: 'AddTrustedDomain RemoveTrustedDomain',
    [ADMIN]: 'AddInstanceTrustedDomain RemoveInstanceTrustedDomain',
  },
  'one server is one instance': {
    [INSTANCE]: 'DeleteInstance',
    'system.v1.SystemService': `ListInstances GetInstance AddInstance UpdateInstance CreateInstance RemoveInstance
      ListIAMMembers ExistsDomain ListDomains AddDomain RemoveDomain SetPrimaryDomain ListViews ClearView ListFailedEvents
      RemoveFailedEvent AddQuota SetQuota RemoveQuota SetLimits ResetLimits BulkSetLimits SetInstanceFeature`,
  },
  'there are an import, an export and a log of our own': {
    [ADMIN]: 'RemoveFailedEvent ListMilestones ImportData ExportData',
  },
  'flags are those of the instance': {
    'feature.v2.FeatureService': `SetSystemFeatures ResetSystemFeatures SetOrganizationFeatures GetOrganizationFeatures
      ResetOrganizationFeatures SetUserFeatures GetUserFeatures ResetUserFeatures`,
  },
}
