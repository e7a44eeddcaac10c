/** What the matrix of callers knows beside the contract: names of callers, whom handlers ask for, and the exceptions. */
import type { DescMethodUnary } from '@bufbuild/protobuf'
import type { Grant } from '../../src/access/call.ts'
import { type Requirement, requirementOf } from '../../src/access/requirement.ts'
import { holdsSomewhere } from '../../src/access/roles.ts'
import { PRIVILEGE_RULES } from './above-table.ts'
import type { ActorName } from './actors.ts'
import type { Verdict } from './targets.ts'
import type { CallerName, Heard } from './world.ts'

/** What somebody hears. */
export type Outcome = Heard['outcome']

/** The callers, as the tables call them. */
export const AWAY = 'owner of another organization'
export const WITH_HEADER = 'the same, with the header of this one'
export const MANAGER = 'user manager of the organization'
export const SELF = 'plain user on themself'
export const OTHER = 'plain user on another'
export const DIRECTORY = 'directory of the organization'
export const LOGIN = 'login client'
export const OWNER = 'owner of the instance'
export const VIEWER = 'viewer of the instance'
export const BEARER = 'session bearer on themself'

/** The full name of a method. */
export function nameOf({ parent, name }: DescMethodUnary): string {
  return `${parent.typeName}/${name}`
}

/** For methods that everybody signed in may call: who is let through by the handler. Nobody never is. */
export const ASKED: Readonly<Record<string, readonly CallerName[] | 'all'>> = {
  'signet.action.v2.ActionService/ListExecutionFunctions': 'all',
  'signet.action.v2.ActionService/ListExecutionMethods': 'all',
  'signet.action.v2.ActionService/ListExecutionServices': 'all',
  'signet.admin.v1.AdminService/GetSupportedLanguages': 'all',
  'signet.auth.v1.AuthService/GetMyUser': 'all',
  'signet.auth.v1.AuthService/ListMyMemberships': 'all',
  'signet.auth.v1.AuthService/GetSupportedLanguages': 'all',
  'signet.auth.v1.AuthService/GetMyPasswordComplexityPolicy': 'all',
  'signet.auth.v1.AuthService/GetMyLoginPolicy': 'all',
  'signet.auth.v1.AuthService/GetMyLabelPolicy': 'all',
  'signet.auth.v1.AuthService/GetMyPrivacyPolicy': 'all',
  'signet.auth.v1.AuthService/UpdateMyPassword': 'all',
  'signet.auth.v1.AuthService/VerifyMyEmail': 'all',
  'signet.auth.v1.AuthService/VerifyMyPhone': 'all',
  'signet.auth.v1.AuthService/ListMyUserSessions': 'all',
  'signet.auth.v1.AuthService/ListMyUserGrants': 'all',
  'signet.auth.v1.AuthService/ListMyProjectOrgs': 'all',
  'signet.auth.v1.AuthService/ListMyProjectPermissions': 'all',
  'signet.auth.v1.AuthService/ListMyZitadelPermissions': 'all',
  'signet.admin.v1.AdminService/GetAllowedLanguages': 'all',
  'signet.management.v1.ManagementService/GetOIDCInformation': 'all',
  'signet.management.v1.ManagementService/GetIAM': 'all',
  'signet.management.v1.ManagementService/GetSupportedLanguages': 'all',
  'signet.oidc.v2.OIDCService/GetAuthRequest': [LOGIN, VIEWER, OWNER],
  'signet.oidc.v2.OIDCService/CreateCallback': [LOGIN],
  'signet.saml.v2.SAMLService/GetSAMLRequest': [LOGIN, VIEWER, OWNER],
  'signet.saml.v2.SAMLService/CreateResponse': [LOGIN],
  // The code is the proof, no matter who brings it.
  'signet.oidc.v2.OIDCService/GetDeviceAuthorizationRequest': 'all',
  'signet.session.v2.SessionService/ListSessions': 'all',
  'signet.session.v2.SessionService/GetSession': [MANAGER, LOGIN, VIEWER, OWNER, BEARER],
  'signet.session.v2.SessionService/SetSession': [LOGIN, OWNER, BEARER],
  'signet.session.v2.SessionService/DeleteSession': [MANAGER, LOGIN, OWNER, BEARER],
  // Whoever signs people in begins; the token says who may look.
  'signet.user.v2.UserService/StartIdentityProviderIntent': 'all',
  'signet.user.v2.UserService/RetrieveIdentityProviderIntent': 'all',
  // The code is the proof, no matter who brings it.
  'signet.user.v2.UserService/VerifyEmail': 'all',
  'signet.user.v2.UserService/VerifyPhone': 'all',
  'signet.user.v2.UserService/VerifyInviteCode': 'all',
  // Without a proof, and so only by those who may write users.
  'signet.user.v2.UserService/SetPassword': [MANAGER, LOGIN, OWNER],
  'signet.user.v2.UserService/RegisterPasskey': [SELF, LOGIN, OWNER, BEARER],
}

/** Whether a method acts on the caller, whoever that is: its request names no user. */
export function isAboutOneself({ parent }: DescMethodUnary): boolean {
  return parent.typeName === 'signet.auth.v1.AuthService'
}

/** Those of them that name a thing which only the bearer of the session has. */
export const OWN_THINGS = /\/(GetMyMetadata|RemoveMyLinkedIDP|(Verify|Remove)My(AuthFactorU2F|Passwordless))$/

/** Methods that list what the caller may see, wherever it is, rather than ask about one thing. */
export const LISTS: ReadonlySet<string> = new Set([
  'signet.application.v2.AgentAccessService/ListAgentAccess',
  'signet.application.v2.AgentAccessService/ListAgentApprovals',
  'signet.application.v2.ApplicationService/ListApplications',
  'signet.application.v2.ApplicationService/ListApplicationKeys',
  'signet.group.v2.GroupService/ListGroups',
  'signet.group.v2.GroupService/ListGroupUsers',
  'signet.internal_permission.v2.InternalPermissionService/ListAdministrators',
  'signet.management.v1.ManagementService/ListProjects',
  'signet.management.v1.ManagementService/ListGrantedProjects',
  'signet.management.v1.ManagementService/ListAllProjectGrants',
  'signet.management.v1.ManagementService/ListUserGrants',
  'signet.management.v1.ManagementService/ListProjectMemberRoles',
  'signet.management.v1.ManagementService/ListProjectGrantMemberRoles',
  'signet.authorization.v2.AuthorizationService/ListAuthorizations',
  'signet.org.v2.OrganizationService/ListOrganizations',
  'signet.project.v2.ProjectService/ListProjects',
  'signet.project.v2.ProjectService/ListProjectGrants',
  'signet.settings.v2.SettingsService/ListOrganizationSettings',
  'signet.sign_in.v1.SignInService/ListSignIns',
  'signet.sign_in.v1.SignInService/ListLastSignIns',
  'signet.webhook.v1.WebhookService/ListWebhooks',
  'signet.signal.v1.SignalService/ListSignalStreams',
  'signet.signal.v1.SignalService/ListTrustedTransmitters',
  'signet.user.v2.UserService/ListUsers',
  'signet.user.v2.UserService/ListKeys',
  'signet.user.v2.UserService/ListPersonalAccessTokens',
])

/** Whether a method lists what the caller may see, to everybody or to those who hold its permission somewhere. */
export function isList(method: DescMethodUnary): boolean {
  const requirement = requirementOf(method)
  return LISTS.has(nameOf(method)) || (requirement.type === 'target' && requirement.isFiltered)
}

/** Methods of an organization that are about no one thing in it; of all others, strangers hear that there is none. */
export const WHOLE_ORGANIZATION =
  /^signet\.(settings\.v2\..*|management\.v1\.ManagementService\/((Get|Add|Update|Deactivate|Reactivate|Remove)(My)?Org|(?!.*IDP(To|From)).*Polic(y|ies).*|ListUsers|ListOrgChanges|IsUserUnique|Add(Human|Machine)User|List\w*Members|ListOrgIDPs|ListProviders|Add\w+(Provider|IDP)|ListOrgMemberRoles|ImportHumanUser|(Set|BulkSet|BulkRemove|List)OrgMetadata|(Add|List)OrgDomains?|(Get|Set|Reset)\w+Message(Custom)?Text(ToDefault)?))$/

/** Methods that tell whoever brings the proof. */
export const BY_PROOF: ReadonlySet<string> = new Set(['signet.user.v2.UserService/RetrieveIdentityProviderIntent'])

const KNOWN = [AWAY, MANAGER, SELF, OTHER, DIRECTORY, LOGIN, VIEWER, OWNER, BEARER] as const

/** What a caller without the permission is told. One who holds it elsewhere is told that there is no such user. */
export function refusalOf(requirement: Requirement, grants: readonly Grant[]): '403' | '404' {
  if (requirement.type !== 'target') return '403'
  const isAboutUser = requirement.about !== undefined && !requirement.isFiltered
  return requirement.isHidden || (isAboutUser && holdsSomewhere(grants, requirement.permission)) ? '404' : '403'
}

/** What everybody who is signed in hears. */
function forAll(outcome: Outcome): Partial<Record<CallerName, Outcome>> {
  return Object.fromEntries(KNOWN.map((name) => [name, outcome]))
}

/** Cells that the rules above do not get right, and why. */
export const EXCEPTIONS: Readonly<Record<string, Partial<Readonly<Record<CallerName, Outcome>>>>> = {
  // Finds users wherever they are: that is what it is for.
  'signet.management.v1.ManagementService/GetUserByLoginNameGlobal': { [AWAY]: 'allowed' },
  // Anybody can be made a member of one's own organization. Nobody gives or takes roles that give more than their own.
  'signet.management.v1.ManagementService/AddOrgMember': { [AWAY]: 'allowed', [LOGIN]: '403' },
  // A user of another organization is not found, as one that does not exist.
  'signet.user.v2.UserService/SetPassword': { [AWAY]: '404' },
  'signet.user.v2.UserService/RegisterPasskey': { [AWAY]: '404' },
  // For others there is no such provider (0157).
  'signet.user.v2.UserService/StartIdentityProviderIntent': { [AWAY]: '404' },
  // Who is no member of one's own organization is removed already.
  'signet.management.v1.ManagementService/RemoveOrgMember': { [AWAY]: 'allowed' },
  'signet.management.v1.ManagementService/UpdateOrgMember': { [LOGIN]: '403' },
  'signet.admin.v1.AdminService/AddIAMMember': { [LOGIN]: '403' },
  'signet.admin.v1.AdminService/UpdateIAMMember': { [LOGIN]: '403' },
  // No organization of this world has proven a domain.
  'signet.management.v1.ManagementService/GetOrgByDomainGlobal': {
    [MANAGER]: '404',
    [LOGIN]: '404',
    [VIEWER]: '404',
    [OWNER]: '404',
  },
  // There are no such providers.
  'signet.admin.v1.AdminService/GetFileSystemNotificationProvider': { [LOGIN]: '404', [VIEWER]: '404', [OWNER]: '404' },
  'signet.admin.v1.AdminService/GetLogNotificationProvider': { [LOGIN]: '404', [VIEWER]: '404', [OWNER]: '404' },
  // The first event is not one of this organization.
  'signet.webhook.v1.WebhookService/GetWebhookDelivery': { [VIEWER]: '404', [OWNER]: '404' },
  // Only the own address is a name that users may give themselves.
  'signet.auth.v1.AuthService/UpdateMyUserName': { [BEARER]: '403' },
  // Where the settings do not allow it, for nobody.
  'signet.auth.v1.AuthService/RemoveMyUser': forAll('403'),
  // Nobody here signed in to an application that stays signed in.
  'signet.auth.v1.AuthService/RevokeMyRefreshToken': forAll('404'),
  // In one's own organization; and there, without a grant of the project, it is refused.
  'signet.management.v1.ManagementService/AddProject': { [AWAY]: 'allowed' },
  'signet.management.v1.ManagementService/AddUserGrant': { [AWAY]: 'allowed' },
  'signet.internal_permission.v2.InternalPermissionService/CreateAdministrator': { [LOGIN]: '403' },
  'signet.internal_permission.v2.InternalPermissionService/UpdateAdministrator': { [LOGIN]: '403' },
}

/** What the owner of the instance learns of methods for which the world is not ready: by its code, their names. */
// biome-ignore format: it is a table
export const OWNER_HEARS: Readonly<Record<string, readonly string[]>> = {
  'account.deletion_not_allowed': ['RemoveMyUser'],
  'grant.refresh_token_not_found': ['RevokeMyRefreshToken'],
  // Somebody prepared the application of the scene.
  'grant.not_approvable': ['ApproveAgent'],
  'application.not_inactive': ['ReactivateApp', 'ReactivateApplication'],
  // Only login clients answer applications.
  'access.forbidden': ['CreateCallback', 'CreateResponse', 'AuthorizeOrDenyDeviceAuthorization'],
  'mail.test_failed': ['TestSMTPConfig', 'TestSMTPConfigById', 'TestEmailProviderSMTP', 'TestEmailProviderSMTPById'],
  'sms.provider_active': ['ActivateSMSProvider'],
  'webhook.delivery_not_found': ['GetWebhookDelivery'],
  'settings.exists': ['AddCustomLockoutPolicy', 'AddCustomLoginPolicy', 'AddCustomPasswordComplexityPolicy', 'AddCustomLabelPolicy', 'AddCustomPrivacyPolicy', 'AddCustomPasswordAgePolicy', 'AddCustomNotificationPolicy'],
  'settings.provider_not_configured': ['GetFileSystemNotificationProvider', 'GetLogNotificationProvider'],
  'organization.domain_not_verified': ['SetPrimaryOrgDomain'],
  'settings.factor_exists': ['AddSecondFactorToLoginPolicy', 'AddMultiFactorToLoginPolicy'],
  'organization.not_inactive': ['ReactivateOrg', 'ActivateOrganization'],
  'organization.domain_validation_missing': ['VerifyOrganizationDomain', 'ValidateOrgDomain'],
  'organization.not_found': ['GetOrgByDomainGlobal'],
  'user.not_inactive': ['ReactivateUser'],
  'user.not_locked': ['UnlockUser'],
  'user.email_verified': ['ResendEmailCode', 'ResendHumanEmailVerification'],
  'user.phone_verified': ['ResendPhoneCode', 'ResendHumanPhoneVerification'],
  'user.already_set_up': ['CreateInviteCode', 'ResendInviteCode', 'ResendHumanInitialization'],
  'verification.code_invalid': ['VerifyEmail', 'VerifyPhone', 'VerifyInviteCode'],
  'totp.already_set_up': ['RegisterTOTP', 'VerifyTOTPRegistration'],
  'otp.already_set_up': ['AddOTPSMS', 'AddOTPEmail'],
  'project.not_inactive': ['ReactivateProject', 'ActivateProject'],
  'identity_provider.active': ['ReactivateIDP', 'ReactivateOrgIDP'],
  'identity_provider.other_type': [
    'UpdateGenericOAuthProvider', 'UpdateAzureADProvider', 'UpdateGitHubProvider', 'UpdateGitHubEnterpriseServerProvider',
    'UpdateGitLabProvider', 'UpdateGitLabSelfHostedProvider', 'UpdateGoogleProvider', 'UpdateAppleProvider',
    'UpdateLDAPProvider', 'UpdateZitadelProvider', 'UpdateJWTProvider', 'UpdateIDPJWTConfig', 'UpdateOrgIDPJWTConfig',
  ],
  // The owner is a machine, and has nothing of its own.
  'user.not_human': [
    'GetMyProfile', 'UpdateMyProfile', 'UpdateMyUserName', 'UpdateMyPassword', 'GetMyEmail', 'SetMyEmail', 'VerifyMyEmail',
    'ResendMyEmailVerification', 'GetMyPhone', 'SetMyPhone', 'VerifyMyPhone', 'ResendMyPhoneVerification', 'RemoveMyPhone',
    'ListMyAuthFactors', 'AddMyAuthFactorOTP', 'VerifyMyAuthFactorOTP', 'RemoveMyAuthFactorOTP', 'AddMyAuthFactorOTPSMS',
    'RemoveMyAuthFactorOTPSMS', 'AddMyAuthFactorOTPEmail', 'RemoveMyAuthFactorOTPEmail', 'AddMyAuthFactorU2F',
    'AddMyPasswordless', 'AddMyPasswordlessLink', 'SendMyPasswordlessLink', 'RemoveMyAvatar',
  ],
  'metadata.not_found': ['GetMyMetadata'],
  'identity_link.not_found': ['RemoveMyLinkedIDP'],
  'passkey.not_found': ['VerifyMyAuthFactorU2F', 'RemoveMyAuthFactorU2F', 'VerifyMyPasswordless', 'RemoveMyPasswordless'],
  'passkey.attestation_invalid': ['VerifyPasskeyRegistration', 'VerifyU2FRegistration'],
}

/** Methods for everybody who is signed in whose handler asks for a permission over the user that the request names. */
export const HANDLERS_ASK: Readonly<Record<string, string>> = {
  SetSession: 'session.write',
  DeleteSession: 'session.delete',
  SetPassword: 'user.write',
  RegisterPasskey: 'user.passkey.write',
  CreateCallback: 'session.link',
  CreateResponse: 'session.link',
}

/** What the rules do not get right about the actors beside the callers, and why. */
const OF_ACTORS: Readonly<Record<string, Partial<Readonly<Record<ActorName, Verdict>>>>> = {
  // In the organization that the project is granted to.
  AddUserGrant: { 'owner of the grant': 'allowed' },
  // The provider is one of the organization that owns the project (0157).
  StartIdentityProviderIntent: { 'owner of the grant': '404' },
  // Only the own address is a name that users may give themselves.
  UpdateMyUserName: { 'organization’s application, of a user': '403' },
  // The link itself would be in the hands of the application.
  AddMyPasswordlessLink: { 'organization’s application, of a user': '403' },
}

/** What these people have nothing of. */
const NOT_THERE = /^((Remove|Verify)My(LinkedIDP|AuthFactorU2F|Passwordless)|RevokeMyRefreshToken)$/
const NOT_SET_UP = /^RemoveMyAuthFactorOTP(SMS|Email)?$/

/** What an actor hears where the rules are not enough; `otherwise` is what the rules say. */
export function ofActor({ parent, name }: DescMethodUnary, actor: ActorName, otherwise: Verdict): Verdict {
  const exception = OF_ACTORS[name]?.[actor]
  if (exception !== undefined) return exception
  if (otherwise !== 'allowed') return otherwise
  // The settings do not allow it.
  if (name === 'RemoveMyUser') return '403'
  const isHuman = actor.includes('application')
  if (NOT_THERE.test(name) || (isHuman && NOT_SET_UP.test(name))) return '404'
  // Somebody with a role on the instance belongs to the organization.
  return PRIVILEGE_RULES[`${parent.typeName}/${name}`] === 'organization' ? '403' : otherwise
}
