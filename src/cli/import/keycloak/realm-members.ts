/** What is decided about each member of a realm, and of the small objects in it. */

import {
  allCarried,
  allIgnored,
  carried,
  ignored,
  oneOf,
  part,
  type Rule,
  reported,
  separate,
  type Table,
} from '../members/table.ts'
import { CLIENT, CLIENT_SCOPE } from './client-members.ts'
import { COMPONENTS } from './component-members.ts'
import { FLOW } from './flow-members.ts'
import { ORGANIZATION_PROVIDER, PROVIDER } from './provider-members.ts'
import { USER } from './user-members.ts'

export const ROLE: Table = {
  members: {
    ...allCarried('name', 'description', 'composites', 'attributes'),
    ...allIgnored({ 'said with the role': ['id', 'composite', 'clientRole', 'containerId'] }),
  },
}

/** The role that new users get; it is among the others, too. */
const DEFAULT_ROLE: Table = {
  members: { ...allIgnored({ 'said with the role': Object.keys(ROLE.members) }), name: carried },
}

export const GROUP: Table = {
  members: {
    ...allCarried('id', 'path', 'description', 'attributes', 'realmRoles', 'clientRoles'),
    get subGroups() {
      return part(GROUP)
    },
    ...allIgnored({
      'the path says it': ['name', 'parentId', 'subGroupCount'],
      'what the reader of the export may do': ['access'],
    }),
  },
}

export const ORGANIZATION: Table = {
  members: {
    ...allCarried('id', 'name', 'alias', 'enabled', 'description', 'redirectUrl', 'attributes'),
    domains: part({ members: allCarried('name', 'verified') }),
    members: part({ members: allCarried('username', 'membershipType') }),
    identityProviders: separate(ORGANIZATION_PROVIDER),
    groups: reported('Groups of the organization stay behind.'),
  },
}

export const REQUIRED_ACTION: Table = {
  members: {
    ...allCarried('alias', 'defaultAction'),
    ...allIgnored({ 'said with the alias': ['name', 'providerId', 'enabled', 'priority', 'config'] }),
  },
}

export const PROVIDER_MAPPER: Table = {
  members: {
    ...allCarried('name', 'identityProviderAlias', 'config'),
    ...allIgnored({ 'no mapper is carried': ['id', 'identityProviderMapper'] }),
  },
}

export const POLICY: Table = {
  members: {
    ...allCarried('name', 'enabled', 'profiles'),
    conditions: part({
      members: { condition: carried, configuration: ignored('whatever the condition, the clients are inactive') },
    }),
    description: ignored('said with the name'),
  },
}

const SMTP: Table = {
  members: {
    ...allCarried('host', 'port', 'from', 'fromDisplayName', 'replyTo', 'replyToDisplayName', 'envelopeFrom'),
    ...allCarried('ssl', 'starttls', 'auth', 'user', 'password'),
    ...allCarried('authType', 'authTokenUrl', 'authTokenScope', 'authTokenClientId', 'authTokenClientSecret'),
    ...allIgnored({
      'how mails are written': ['debug', 'allowutf8', 'connectionTimeout', 'timeout', 'writeTimeout'],
    }),
  },
}

const EVENTS = reported('Events stay behind. What happens here is always in the audit log.')
const CLIENT_SESSIONS = reported(
  (value) => `How long sessions of single applications last is the same for all (here ${value} s in Keycloak).`,
)

const ATTRIBUTES: Table = {
  members: {
    'acr.loa.map': reported('Levels of authentication (acr) have no equivalent.', oneOf(undefined, '', '{}')),
    clientSessionIdleTimeout: CLIENT_SESSIONS,
    clientSessionMaxLifespan: CLIENT_SESSIONS,
    clientOfflineSessionIdleTimeout: CLIENT_SESSIONS,
    clientOfflineSessionMaxLifespan: CLIENT_SESSIONS,
    adminEventsExpiration: EVENTS,
    ...allIgnored({
      'said with clientPolicies': ['client-policies.policies', 'client-policies.profiles'],
      'Signet has an address of its own': ['frontendUrl'],
      'a code counts once': ['realmReusableOtpCode'],
      'said with the member of the realm': ['organizationsEnabled', 'userProfileEnabled', 'adminPermissionsEnabled'],
      'how pages look': ['darkMode'],
    }),
  },
  named: [
    [/^ciba/, ignored('said with oidc.ciba.grant.enabled of a client')],
    [/^(oauth2Device|actionToken|shortVerification|parRequestUri)/, ignored('how long codes and links last')],
    [/^(bruteForce|maxTemporary|webAuthnPolicy)/, ignored('said with the member of the realm')],
    [/^(saml\.|oid4vci|jwt\.)/, ignored('about protocols that are decided with each client')],
  ],
}

/** The rules for new security keys, and those for new passkeys. */
function webAuthnRules(prefix: string, what: string): Readonly<Record<string, Rule>> {
  return {
    [`${prefix}RpId`]: carried,
    [`${prefix}AttestationConveyancePreference`]: reported(
      `Nobody is asked who made new ${what} (attestation).`,
      oneOf(undefined, '', 'not specified', 'none'),
    ),
    [`${prefix}AuthenticatorAttachment`]: reported(
      (value) => `New ${what} can be of any kind, not only ${value}.`,
      oneOf(undefined, '', 'not specified'),
    ),
    [`${prefix}AcceptableAaguids`]: reported(`New ${what} can be of any model.`),
    [`${prefix}ExtraOrigins`]: reported(
      (value) => `Pages at ${(value as readonly unknown[]).join(', ')} cannot use ${what}.`,
    ),
    ...allIgnored({
      'what browsers show': [`${prefix}RpEntityName`, `${prefix}CreateTimeout`],
      'decided by what they are used for': [
        `${prefix}SignatureAlgorithms`,
        `${prefix}RequireResidentKey`,
        `${prefix}UserVerificationRequirement`,
        `${prefix}AvoidSameAuthenticatorRegister`,
        `${prefix}ResidentKey`,
        `${prefix}Mediation`,
      ],
    }),
  }
}

/** What new authenticator apps are like: all of ours are alike. */
const APPS = 'New authenticator apps have codes with 6 digits of SHA-1 for 30 s.'
const THEMES = reported('Themes stay behind: choose a look under Branding.')

/** Settings of users, sessions and tokens. */
const SETTINGS: Readonly<Record<string, Rule>> = {
  ...allCarried('registrationAllowed', 'loginWithEmailAllowed', 'resetPasswordAllowed', 'rememberMe', 'verifyEmail'),
  ...allCarried('duplicateEmailsAllowed', 'passwordPolicy', 'bruteForceProtected', 'permanentLockout', 'failureFactor'),
  ...allCarried('ssoSessionIdleTimeout', 'ssoSessionMaxLifespan', 'accessTokenLifespan', 'offlineSessionIdleTimeout'),
  ...allCarried('offlineSessionMaxLifespanEnabled', 'offlineSessionMaxLifespan'),
  ...allCarried('internationalizationEnabled', 'supportedLocales', 'defaultLocale'),
  smtpServer: part(SMTP),
  ...webAuthnRules('webAuthnPolicy', 'security keys'),
  ...webAuthnRules('webAuthnPolicyPasswordless', 'passkeys'),
  otpPolicyType: reported(APPS, oneOf(undefined, 'totp')),
  otpPolicyDigits: reported(APPS, oneOf(undefined, 6)),
  otpPolicyAlgorithm: reported(APPS, oneOf(undefined, 'HmacSHA1')),
  otpPolicyPeriod: reported(APPS, oneOf(undefined, 30)),
  notBefore: reported(
    '“notBefore” stays behind: with --old-keys, APIs that only look at the signature accept older tokens.',
  ),
  defaultSignatureAlgorithm: reported(
    (value) => `Tokens are signed with the key of the instance, not with ${value}.`,
    oneOf(undefined, '', 'RS256'),
  ),
  refreshTokenMaxReuse: reported('A refresh token counts once.'),
  clientSessionIdleTimeout: CLIENT_SESSIONS,
  clientSessionMaxLifespan: CLIENT_SESSIONS,
  clientOfflineSessionIdleTimeout: CLIENT_SESSIONS,
  clientOfflineSessionMaxLifespan: CLIENT_SESSIONS,
  registrationEmailAsUsername: reported('New users have a username beside their email address.'),
  editUsernameAllowed: reported('Users do not change their username by themselves.'),
  userManagedAccessAllowed: reported('Users do not share resources with each other (UMA).'),
  scimApiEnabled: reported('Directories that write users by SCIM need a new address and token here.'),
  verifiableCredentialsEnabled: reported('Verifiable credentials are not issued.'),
  eventsEnabled: EVENTS,
  adminEventsEnabled: EVENTS,
  eventsExpiration: EVENTS,
  eventsListeners: reported(
    (value) => `Listeners of events stay behind (${(value as readonly unknown[]).join(', ')}): use webhooks.`,
    (value) => (value as readonly unknown[] | undefined)?.every((name) => name === 'jboss-logging') ?? true,
  ),
  loginTheme: THEMES,
  accountTheme: THEMES,
  adminTheme: THEMES,
  emailTheme: reported('Themes stay behind: change the texts of mails in the console.'),
  displayNameHtml: reported('The name on the pages is plain text.'),
  localizationTexts: reported('Texts of Keycloak’s pages have no equivalent here.'),
  ...allIgnored({
    'said with eventsEnabled': ['enabledEventTypes', 'adminEventsDetailsEnabled'],
    'the implicit flow is not offered': ['accessTokenLifespanForImplicitFlow'],
    'refresh tokens are always replaced': ['revokeRefreshToken'],
    'said with rememberMe': ['ssoSessionIdleTimeoutRememberMe', 'ssoSessionMaxLifespanRememberMe'],
    'how long codes and links last': [
      'accessCodeLifespan',
      'accessCodeLifespanUserAction',
      'accessCodeLifespanLogin',
      'actionTokenGeneratedByAdminLifespan',
      'actionTokenGeneratedByUserLifespan',
      'oauth2DeviceCodeLifespan',
      'oauth2DevicePollingInterval',
    ],
    'said with bruteForceProtected': [
      'bruteForceStrategy',
      'maxTemporaryLockouts',
      'maxSecondaryAuthFailures',
      'maxFailureWaitSeconds',
      'minimumQuickLoginWaitSeconds',
      'waitIncrementSeconds',
      'quickLoginCheckMilliSeconds',
      'maxDeltaTimeSeconds',
    ],
    'said with the other members of the policy': ['otpPolicyInitialCounter', 'otpPolicyLookAheadWindow'],
    'a code counts once': ['otpPolicyCodeReusable'],
    'a list for a page of Keycloak': ['otpSupportedApplications'],
    'passkeys are always offered': ['webAuthnPolicyPasswordlessPasskeysEnabled'],
    'the address of Signet says it': ['sslRequired'],
    'the flows say it': ['requiredCredentials'],
    'pages have the headers of Signet': ['browserSecurityHeaders'],
  }),
}

/** Which roles a client, or a client scope, has in its tokens. */
const SCOPE_MAPPING: Table = {
  members: {
    ...allCarried('client', 'clientScope', 'roles'),
    ...allIgnored({ 'another name of a client scope': ['clientTemplate', 'self'] }),
  },
}

export const REALM: Table = {
  members: {
    ...allCarried('id', 'realm', 'displayName', 'enabled', 'defaultGroups', 'organizationsEnabled', 'federatedUsers'),
    ...allCarried('browserFlow', 'registrationFlow', 'resetCredentialsFlow', 'clientAuthenticationFlow'),
    ...allCarried('firstBrokerLoginFlow', 'defaultDefaultClientScopes', 'defaultOptionalClientScopes'),
    ...allCarried('adminPermissionsEnabled', 'adminPermissionsClient'),
    scopeMappings: part(SCOPE_MAPPING),
    clientScopeMappings: part({ members: {}, named: [[/^/, part(SCOPE_MAPPING)]] }),
    ...SETTINGS,
    attributes: part(ATTRIBUTES),
    defaultRole: part(DEFAULT_ROLE),
    roles: part({
      members: { realm: separate(ROLE), client: part({ members: {}, named: [[/^/, separate(ROLE)]] }) },
    }),
    groups: separate(GROUP),
    users: separate(USER),
    clients: separate(CLIENT),
    clientScopes: separate(CLIENT_SCOPE),
    clientPolicies: part({ members: { policies: separate(POLICY) } }),
    identityProviders: separate(PROVIDER),
    identityProviderMappers: separate(PROVIDER_MAPPER),
    components: part(COMPONENTS),
    authenticationFlows: separate(FLOW),
    requiredActions: separate(REQUIRED_ACTION),
    organizations: separate(ORGANIZATION),
    ...allIgnored({
      'said with the policies': ['clientProfiles'],
      'the password grant and Docker are not offered': ['directGrantFlow', 'dockerAuthenticationFlow'],
      'a step with settings is not the built-in one': ['authenticatorConfig'],
      'which version wrote the file': ['keycloakVersion'],
    }),
  },
}
