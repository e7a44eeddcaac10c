/** What is decided about each member of a client. */
import {
  allCarried,
  allIgnored,
  carried,
  ignored,
  oneOf,
  part,
  type Rule,
  reported,
  restricts,
  separate,
  type Table,
} from '../members/table.ts'

const noPlace = (name: string): Rule => reported(`It has no ${name} here.`)
const NOT_REQUIRED = oneOf(undefined, '', 'not required')
const SESSIONS = 'How long its sessions and tokens last is the same for all applications: '

const NO_ASSERTIONS = reported('Assertions of identity providers cannot be exchanged for tokens.')

const ATTRIBUTES: Table = {
  closes: true,
  members: {
    'post.logout.redirect.uris': carried,
    'backchannel.logout.url': carried,
    'use.refresh.tokens': carried,
    'oauth2.device.authorization.grant.enabled': carried,
    'standard.token.exchange.enabled': carried,
    'require.pushed.authorization.requests': carried,
    'dpop.bound.access.tokens': carried,
    'pkce.code.challenge.method': {
      ...reported('It uses PKCE with plain, and must use S256 here.', (value) => value !== 'plain'),
      fate: 'carried',
    },
    'client.secret.expiration.time': carried,
    'use.jwks.url': carried,
    'use.jwks.string': carried,
    'jwks.string': carried,
    'jwt.credential.certificate': carried,
    'tls.client.certificate.bound.access.tokens': restricts(
      'Keycloak binds its tokens to its client certificate; here they would be bearer tokens.',
    ),
    'tls-client-certificate-bound-access-tokens': restricts(
      'Keycloak binds its tokens to its client certificate; here they would be bearer tokens.',
    ),
    'request.object.required': restricts(
      (value) => `Keycloak demands signed requests (${value}): give it its key, and set requireSignedRequestObject.`,
      NOT_REQUIRED,
    ),
    'minimum.acr.value': restricts(
      (value) => `Keycloak demands the level of authentication ${value}; that is not checked here.`,
    ),
    'acr.loa.map': reported('Levels of authentication (acr) have no equivalent.', oneOf(undefined, '', '{}')),
    'default.acr.values': reported((value) => `The level of authentication ${value} is not asked for.`),
    'oidc.ciba.grant.enabled': reported('Requests on the back channel (CIBA) are not switched on for it.'),
    'jwt.authorization.grant.enabled': NO_ASSERTIONS,
    'oauth2.jwt.authorization.grant.enabled': NO_ASSERTIONS,
    'external.token.enabled': reported('Tokens of identity providers are not accepted in the place of its own.'),
    'logout.confirmation.enabled': reported('Whether users confirm a logout is the same for all applications.'),
    sectorIdentifierUri: reported(
      'Users have the same ID (sub) in all applications: sectorIdentifierUri has no equivalent.',
    ),
    'access.token.lifespan': reported((value) => `${SESSIONS}access.token.lifespan (${value} s) has no equivalent.`),
    'client.session.idle.timeout': reported(
      (value) => `${SESSIONS}client.session.idle.timeout (${value} s) has no equivalent.`,
    ),
    'client.session.max.lifespan': reported(
      (value) => `${SESSIONS}client.session.max.lifespan (${value} s) has no equivalent.`,
    ),
    'client.offline.session.idle.timeout': reported(
      (value) => `${SESSIONS}client.offline.session.idle.timeout (${value} s) has no equivalent.`,
    ),
    'client.offline.session.max.lifespan': reported(
      (value) => `${SESSIONS}client.offline.session.max.lifespan (${value} s) has no equivalent.`,
    ),
    'access.token.signed.response.alg': reported(
      (value) => `Its access tokens are signed with the key of the server, not with ${value}.`,
      oneOf(undefined, '', 'RS256'),
    ),
    'id.token.signed.response.alg': reported(
      (value) => `Its ID tokens are signed with the key of the server, not with ${value}.`,
      oneOf(undefined, '', 'RS256'),
    ),
    'id.token.encrypted.response.alg': reported('Its ID tokens are not encrypted here.'),
    'user.info.response.signature.alg': reported(
      'Answers of the userinfo endpoint are not signed.',
      oneOf(undefined, '', 'none', 'any'),
    ),
    'user.info.encrypted.response.alg': reported('Answers of the userinfo endpoint are not encrypted.'),
    'authorization.signed.response.alg': reported('Answers to authorization requests are not signed (JARM).'),
    'authorization.encrypted.response.alg': reported('Answers to authorization requests are not encrypted (JARM).'),
    'backchannel.logout.revoke.offline.tokens': reported(
      'Which tokens end with a logout is the same for all applications.',
    ),
    'client.secret.rotated': reported('The secret from before its last rotation is not carried.'),
    'frontchannel.logout.url': noPlace('frontchannel.logout.url'),
    logoUri: noPlace('logoUri'),
    policyUri: noPlace('policyUri'),
    tosUri: noPlace('tosUri'),
    login_theme: noPlace('login theme'),
    ...allIgnored({
      'said with the keys of the client': ['jwks.url', 'jwt.credential.public.key', 'jwt.credential.kid'],
      'the private half is not needed': ['jwt.credential.private.key'],
      'said with clientAuthenticatorType': [
        'jwt.credential.issuer',
        'jwt.credential.sub',
        'x509.subjectdn',
        'x509.allow.regex.pattern.comparison',
      ],
      'the key of the client decides': ['token.endpoint.auth.signing.alg', 'token.endpoint.auth.signing.max.exp'],
      'a date': [
        'client.secret.creation.time',
        'client.secret.rotated.creation.time',
        'client.secret.rotated.expiration.time',
      ],
      'said with request.object.required': [
        'request.object.signature.alg',
        'request.object.encryption.alg',
        'request.object.encryption.enc',
        'request.uris',
      ],
      'said with the algorithm': [
        'id.token.encrypted.response.enc',
        'user.info.encrypted.response.enc',
        'authorization.encrypted.response.enc',
      ],
      'said with oidc.ciba.grant.enabled': [
        'ciba.backchannel.token.delivery.mode',
        'ciba.backchannel.client.notification.endpoint',
        'ciba.backchannel.auth.request.signing.alg',
      ],
      'said with the assertions, or with external.token.enabled': [
        'jwt.authorization.grant.idp',
        'oauth2.jwt.authorization.grant.idp',
        'oauth2.jwt.authorization.grant.audience',
        'external.token.idp',
      ],
      'what it may do more in Keycloak': [
        'allow.oidc.params.in.redirect.uris',
        'allow.token.introspection.without.audience.check',
        'allow.userinfo.with.lightweight.access.token',
      ],
      'logout tokens always have a session': ['backchannel.logout.session.required'],
      'the browser is not used for logouts': ['frontchannel.logout.session.required'],
      'a form of answers': [
        'exclude.session.state.from.auth.response',
        'exclude.issuer.from.auth.response',
        'token.response.type.bearer.lower-case',
        'access.token.header.type.rfc9068',
        'id.token.as.detached.signature',
        'client.use.lightweight.access.token.enabled',
        'client.introspection.response.allow.jwt.claim.enabled',
      ],
      'how long a user has to answer is the same for all': [
        'oauth2.device.code.lifespan',
        'oauth2.device.polling.interval',
      ],
      'exchanged tokens are not refreshed': ['standard.token.exchange.enableRefreshRequestedTokenType'],
      'machine users get no refresh tokens': ['client_credentials.use_refresh_token'],
      'how Keycloak shows it': [
        'display.on.consent.screen',
        'consent.screen.text',
        'gui.order',
        'include.in.token.scope',
      ],
      'marks a client of Keycloak itself': ['realm_client', 'acr.uri.map'],
    }),
  },
  named: [
    [/^saml[._]/, ignored('about SAML')],
    [/^oid4vci\.|^vc\./, ignored('credentials that are not issued here')],
  ],
}

/** What tokens of Keycloak contain besides. */
const PROTOCOL_MAPPER: Table = {
  members: {
    ...allIgnored({
      'no mapper is carried': ['id', 'name', 'protocol', 'protocolMapper', 'consentRequired', 'config'],
    }),
  },
}

export const CLIENT_SCOPE: Table = {
  members: {
    ...allCarried('name'),
    protocolMappers: { ...separate(PROTOCOL_MAPPER), ...ignored('said with the scope') },
    ...allIgnored({ 'said with the name': ['id', 'description', 'protocol', 'attributes'] }),
  },
}

export const CLIENT: Table = {
  closes: true,
  members: {
    id: carried,
    clientId: carried,
    name: carried,
    protocol: carried,
    enabled: carried,
    publicClient: carried,
    bearerOnly: carried,
    secret: carried,
    clientAuthenticatorType: carried,
    rootUrl: carried,
    redirectUris: carried,
    webOrigins: carried,
    standardFlowEnabled: carried,
    implicitFlowEnabled: reported('The implicit flow is not offered: it must use codes with PKCE.'),
    directAccessGrantsEnabled: reported(
      'Users cannot send their password through a client: the password grant is not offered.',
      (value, client) => value !== true || client.flag('bearerOnly'),
    ),
    serviceAccountsEnabled: carried,
    consentRequired: carried,
    defaultClientScopes: carried,
    optionalClientScopes: carried,
    attributes: part(ATTRIBUTES),
    authenticationFlowBindingOverrides: part({
      closes: true,
      members: {
        browser: restricts(
          'Keycloak signs its users in with a flow of its own, which can ask for more or refuse users; here all applications have the same.',
        ),
        direct_grant: ignored('the password grant is not offered'),
      },
    }),
    directGrantsOnly: restricts('Users cannot sign in on a page for it in Keycloak.'),
    fullScopeAllowed: carried,
    authorizationServicesEnabled: reported(
      'Resources, scopes and policies of its authorization services stay behind: from now on, it decides by itself what users may do.',
    ),
    description: carried,
    adminUrl: reported('Keycloak’s calls to its adminUrl have no equivalent.'),
    notBefore: reported(
      '“notBefore” stays behind: with --old-keys, tokens from before it are accepted by APIs that only look at the signature.',
    ),
    defaultRoles: reported('New users do not get its default roles.'),
    protocolMappers: {
      ...reported(
        (value) =>
          `The mappers ${(value as { name?: string }[]).map(({ name }) => name).join(', ')} stay behind: claims cannot be added per application.`,
      ),
      inside: PROTOCOL_MAPPER,
      isSeparate: true,
    },
    ...allIgnored({
      'a link in the console of Keycloak': ['baseUrl', 'alwaysDisplayInConsole'],
      'the browser is not used for logouts': ['frontchannelLogout'],
      'said with authorizationServicesEnabled': ['authorizationSettings'],
      'a setting of the adapters of Keycloak': [
        'surrogateAuthRequired',
        'nodeReRegistrationTimeout',
        'registeredNodes',
      ],
      'registrations are not changed here': ['registrationAccessToken'],
      'what the reader of the export may do': ['access'],
      'where the client came from': ['type', 'origin'],
      'scopes are decided one by one': [
        'clientTemplate',
        'useTemplateConfig',
        'useTemplateScope',
        'useTemplateMappers',
      ],
    }),
  },
}
