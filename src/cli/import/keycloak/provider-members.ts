/** What is decided about each member of an identity provider. */
import type { Members } from '../json/members.ts'
import {
  allIgnored,
  carried,
  carriedOnly,
  ignored,
  oneOf,
  part,
  reported,
  restricts,
  type Table,
} from '../members/table.ts'

const BEFORE = 'Have the provider admit only them before you activate it.'

/** Whether an address is at the host of the issuer, or there is nothing to compare. */
function isAtIssuer(value: unknown, config: Members): boolean {
  const [host, issuer] = [URL.parse(String(value ?? ''))?.host, URL.parse(config.maybeText('issuer') ?? '')?.host]
  return host === undefined || issuer === undefined || host === issuer
}

function isDiscovered(what: string) {
  return reported((value) => `${what} ${value} is not used: it is what the issuer publishes.`, isAtIssuer)
}

/** As Keycloak reads settings that are texts. */
export function isTrue(config: Members, name: string): boolean {
  return config.maybeText(name)?.toLowerCase() === 'true'
}

const CONFIG: Table = {
  closes: true,
  members: {
    clientId: carried,
    clientSecret: carried,
    clientAuthMethod: carriedOnly(
      oneOf(undefined, '', 'client_secret_post', 'client_secret_basic', 'client_secret_basic_unencoded'),
      (value) => `Keycloak authenticates with ${value}; here the provider is asked with a client secret.`,
    ),
    defaultScope: carried,
    syncMode: carried,
    pkceEnabled: carried,
    issuer: carried,
    authorizationUrl: carried,
    tokenUrl: isDiscovered('The token endpoint'),
    userInfoUrl: isDiscovered('The userinfo endpoint'),
    jwksUrl: isDiscovered('The key set'),
    publicKeySignatureVerifier: restricts(
      'Keycloak trusts one pinned key; here the keys count that the issuer publishes.',
      (value, config) => !value || isTrue(config, 'useJwksUrl'),
    ),
    hideOnLoginPage: carried,
    tenantId: carried,
    baseUrl: carried,
    apiUrl: carried,
    filteredByClaim: restricts(
      (_, config) =>
        `Keycloak admits only users whose claim ${config.maybeText('claimFilterName')} is ${config.maybeText('claimFilterValue')}; that is not checked here. ${BEFORE}`,
    ),
    hostedDomain: restricts(
      (value) =>
        `Keycloak admits only accounts of ${value} (hostedDomain); here accounts of all domains could sign in. ${BEFORE}`,
    ),
    'kc.org.domain': carried,
    disableUserInfo: reported('The userinfo endpoint is asked, although disableUserInfo is set.'),
    doNotStoreUsers: reported('Its users are stored here: doNotStoreUsers has no equivalent.'),
    // Whoever is signed in there already gets in without a password.
    prompt: reported(
      (value) => `The provider is not sent prompt=${value}.`,
      undefined,
      (value) => /\blogin\b/.test(String(value)),
    ),
    passMaxAge: restricts(
      'Keycloak tells the provider how old a sign-in there may be (passMaxAge); that is not done here.',
    ),
    forwardParameters: reported((value) => `The parameters ${value} are not sent to the provider.`),
    logoutUrl: reported('Who signs out here stays signed in at the provider: logoutUrl has no equivalent.'),
    supportsClientAssertions: reported('Clients cannot authenticate with assertions of this provider.'),
    jwtAuthorizationGrantEnabled: reported('Assertions of this provider cannot be exchanged for tokens.'),
    ...allIgnored({
      'tokens of the provider are accepted as its own client alone': [
        'tokenIntrospectionUrl',
        'allowClientIdAsAudience',
        'storeTokenInSession',
      ],
      'it is checked in any case': ['validateSignature', 'disableNonce', 'disableTypeClaimCheck', 'pkceMethod'],
      'said with the key': ['publicKeySignatureVerifierKeyId', 'useJwksUrl'],
      'said with filteredByClaim': ['claimFilterName', 'claimFilterValue'],
      'access tokens of providers are neither read nor stored': [
        'isAccessTokenJWT',
        'minValidityToken',
        'offlineAccess',
      ],
      'said with clientAuthMethod': ['clientAssertionSigningAlg', 'clientAssertionAudience', 'jwtX509HeadersEnabled'],
      'said with supportsClientAssertions': ['supportsClientAssertionReuse', 'fedClientAssertionMaxExp'],
      'said with jwtAuthorizationGrantEnabled': [
        'jwtAuthorizationGrantAssertionReuseAllowed',
        'jwtAuthorizationGrantMaxAllowedAssertionExpiration',
        'jwtAuthorizationGrantAssertionSignatureAlg',
        'jwtAuthorizationGrantAllowedClockSkew',
        'jwtAuthorizationGrantLimitAccessTokenExp',
      ],
      'said with logoutUrl': ['backchannelSupported', 'sendIdTokenOnLogout', 'sendClientIdOnLogout'],
      'the issuer publishes it': ['metadataDescriptorUrl', 'discoveryEndpoint', 'useMetadataDescriptorUrl'],
      'how the pages look': ['loginHint', 'uiLocales', 'guiOrder', 'showInAccountConsole'],
      'whoever is not signed in is asked': ['acceptsPromptNoneForwardFromClient'],
      'a form of requests and answers': [
        'userIp',
        'githubJsonFormat',
        'requiresShortStateParameter',
        'allowedClockSkew',
      ],
      'usernames are compared without case': ['caseSensitiveOriginalUsername'],
      'providers of SAML are not carried': [
        'entityId',
        'idpEntityId',
        'singleSignOnServiceUrl',
        'singleLogoutServiceUrl',
        'artifactResolutionServiceUrl',
        'nameIDPolicyFormat',
        'principalType',
        'principalAttribute',
        'signingCertificate',
        'encryptionPublicKey',
        'encryptionAlgorithm',
        'signatureAlgorithm',
        'signSpMetadata',
        'postBindingAuthnRequest',
        'postBindingResponse',
        'postBindingLogout',
        'artifactBindingResponse',
        'wantAssertionsSigned',
        'wantAssertionsEncrypted',
        'wantAuthnRequestsSigned',
        'forceAuthn',
        'allowCreate',
        'addExtensionsElementWithKeyInfo',
        'xmlSigKeyInfoKeyNameTransformer',
        'authnContextClassRefs',
        'authnContextDeclRefs',
        'authnContextComparisonType',
        'attributeConsumingServiceIndex',
        'attributeConsumingServiceName',
        'enabledFromMetadata',
      ],
      'hideOnLogin says it': ['kc.org.broker.public', 'kc.org.broker.redirect.mode.email-matches'],
    }),
  },
}

export const PROVIDER: Table = {
  closes: true,
  members: {
    alias: carried,
    displayName: carried,
    internalId: carried,
    providerId: carried,
    enabled: carried,
    linkOnly: carried,
    hideOnLogin: carried,
    trustEmail: carried,
    organizationId: carried,
    firstBrokerLoginFlowAlias: carried,
    postBrokerLoginFlowAlias: restricts(
      (value) =>
        `After the provider, Keycloak runs the flow “${value}”, which can ask for more or refuse users; that is not done here. Require a second factor, for example, before you activate it.`,
    ),
    config: part(CONFIG),
    storeToken: reported('Tokens of the provider are not stored here, so storeToken has no effect.'),
    authenticateByDefault: reported('Nobody is redirected to it by default: users choose it.'),
    addReadTokenRoleOnCreate: ignored('said with storeToken'),
    updateProfileFirstLogin: ignored('the first login flow says it'),
    updateProfileFirstLoginMode: ignored('the first login flow says it'),
    types: ignored('what the type can do'),
  },
}

const SAID = 'the provider itself says it'

/** One provider of an organization. */
export const ORGANIZATION_PROVIDER: Table = {
  closes: true,
  members: {
    ...allIgnored({ [SAID]: Object.keys(PROVIDER.members) }),
    alias: carried,
    config: part({
      closes: true,
      members: { ...allIgnored({ [SAID]: Object.keys(CONFIG.members) }), 'kc.org.domain': carried },
    }),
  },
}
