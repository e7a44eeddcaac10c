/**
 * A realm for a real Keycloak: what an import must not open. Each object is called by what it restricts. All values are
 * throw-away, and no address is ever called.
 */
import { rightsRealm } from './realm-people.ts'

type Json = Readonly<Record<string, unknown>>

export const REALM = 'outside'
const IDP = 'https://idp.example'
const OIDC = {
  issuer: IDP,
  authorizationUrl: `${IDP}/authorize`,
  tokenUrl: `${IDP}/token`,
  userInfoUrl: `${IDP}/userinfo`,
  jwksUrl: `${IDP}/jwks`,
  useJwksUrl: 'true',
  validateSignature: 'true',
  clientAuthMethod: 'client_secret_post',
  defaultScope: 'openid profile email',
}

function provider(alias: string, providerId: string, config: Json, more: Json = {}) {
  const own = { clientId: `at-${alias}`, clientSecret: `secret-${alias}`, ...config }
  return { alias, providerId, enabled: true, trustEmail: false, config: own, ...more }
}

const oidc = (alias: string, config: Json = {}, more: Json = {}) =>
  provider(alias, 'oidc', { ...OIDC, ...config }, more)
const github = (alias: string, config: Json = {}) => provider(alias, 'github', config)

const GHE = 'https://github.corp.example'
const providers = [
  github('github'),
  github('github-company', { baseUrl: GHE, apiUrl: `${GHE}/api/v3` }),
  github('github-base', { baseUrl: GHE }),
  github('github-api', { apiUrl: `${GHE}/api/v3` }),
  github('github-lookalike', {
    baseUrl: 'https://github.com.evil.example',
    apiUrl: 'https://api.github.com.evil.example',
  }),
  github('github-plain-http', { baseUrl: 'http://github.com', apiUrl: 'http://api.github.com' }),
  github('github-port', { baseUrl: 'https://github.com:8443', apiUrl: 'https://api.github.com:8443' }),
  provider('gitlab', 'gitlab', {}),
  provider('gitlab-company', 'gitlab', { baseUrl: 'https://gitlab.corp.example' }),
  provider('google', 'google', {}),
  provider('google-domain', 'google', { hostedDomain: 'corp.example' }),
  provider('google-domains', 'google', { hostedDomain: 'corp.example,partner.example' }),
  provider('microsoft', 'microsoft', {}),
  provider('microsoft-tenant', 'microsoft', { tenantId: '7f58f645-c190-4ce5-9de4-e2b7acd2a6ab' }),
  provider('microsoft-companies', 'microsoft', { tenantId: 'organizations' }),
  provider('facebook', 'facebook', { fetchedFields: 'name' }),
  provider('linkedin', 'linkedin-openid-connect', {}),
  provider('bitbucket', 'bitbucket', {}),
  provider('openshift', 'openshift-v4', { baseUrl: 'https://openshift.example' }),
  provider('paypal', 'paypal', { sandbox: 'true' }),
  provider('stackoverflow', 'stackoverflow', { key: 'k' }),
  provider('oauth2', 'oauth2', { ...OIDC, issuer: '', userIDClaim: 'sub' }),
  provider('keycloak', 'keycloak-oidc', OIDC),
  provider('saml', 'saml', { singleSignOnServiceUrl: `${IDP}/sso`, entityId: 'outside', idpEntityId: IDP }),
  oidc('oidc'),
  oidc('oidc-off', {}, { enabled: false }),
  oidc('oidc-link-only', {}, { linkOnly: true }),
  oidc('oidc-hidden', {}, { hideOnLogin: true }),
  oidc('oidc-trusted', {}, { trustEmail: true }),
  oidc('oidc-filter', { filteredByClaim: 'true', claimFilterName: 'department', claimFilterValue: 'staff' }),
  oidc('oidc-pinned', { useJwksUrl: 'false', publicKeySignatureVerifier: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A' }),
  oidc('oidc-unsigned', { validateSignature: 'false' }),
  oidc('oidc-fresh', { passMaxAge: 'true', prompt: 'login' }),
  oidc('oidc-key', { clientAuthMethod: 'private_key_jwt', clientSecret: '' }),
  oidc('oidc-jwt', { clientAuthMethod: 'client_secret_jwt' }),
  oidc('oidc-no-issuer', { issuer: '' }),
  oidc('oidc-two-issuers', { issuer: `${IDP},https://other.example` }),
  oidc('oidc-elsewhere', { authorizationUrl: 'https://elsewhere.example/authorize' }),
  oidc('oidc-bare', { disableUserInfo: 'true', userInfoUrl: '', acceptsPromptNoneForwardFromClient: 'true' }),
  oidc('oidc-transient', { doNotStoreUsers: 'true' }, { storeToken: true }),
  oidc('oidc-default', {}, { authenticateByDefault: true }),
  oidc('oidc-after', {}, { postBrokerLoginFlowAlias: 'code after provider' }),
  oidc('oidc-nobody', {}, { firstBrokerLoginFlowAlias: 'nobody is created' }),
  oidc('oidc-detect', {}, { firstBrokerLoginFlowAlias: 'those who exist' }),
  oidc('oidc-role', {}, { firstBrokerLoginFlowAlias: 'created, then refused' }),
  oidc('oidc-groups', { syncMode: 'FORCE' }),
  oidc('oidc-domain', { 'kc.org.domain': 'partner.example' }, { hideOnLogin: true }),
  oidc('oidc-any-domain', { 'kc.org.domain': 'ANY' }),
  oidc('oidc-organization'),
  oidc('oidc-closed-organization', {}, { hideOnLogin: true }),
]

const mapper = (name: string, identityProviderAlias: string, identityProviderMapper: string, config: Json) => ({
  ...{ name, identityProviderAlias, identityProviderMapper },
  config: { syncMode: 'INHERIT', ...config },
})

const identityProviderMappers = [
  mapper('employee', 'oidc-groups', 'oidc-role-idp-mapper', {
    claim: 'group',
    'claim.value': 'staff',
    role: 'employee',
  }),
  mapper('account', 'keycloak', 'oidc-username-idp-mapper', { template: `\${CLAIM.oid}`, target: 'BROKER_ID' }),
]

function execution(step: string, requirement: string, priority: number) {
  const inner = step.startsWith('/') ? { flowAlias: step.slice(1), authenticatorFlow: true } : { authenticator: step }
  return { authenticatorFlow: false, ...inner, requirement, priority, userSetupAllowed: false }
}

/** A flow from its steps; the name of a flow inside begins with a slash. */
export function flow(
  alias: string,
  steps: Readonly<Record<string, string>>,
  topLevel = true,
  providerId = 'basic-flow',
) {
  const authenticationExecutions = Object.entries(steps).map(([step, requirement], at) =>
    execution(step, requirement, at),
  )
  return {
    id: `flow-${alias.replaceAll(' ', '-')}`,
    alias,
    providerId,
    topLevel,
    builtIn: false,
    authenticationExecutions,
  }
}

const authenticationFlows = [
  flow('code after provider', { 'auth-otp-form': 'REQUIRED' }),
  flow('nobody is created', { 'idp-detect-existing-broker-user': 'REQUIRED', 'idp-confirm-link': 'REQUIRED' }),
  flow('those who exist', { 'idp-detect-existing-broker-user': 'REQUIRED', 'idp-auto-link': 'REQUIRED' }),
  flow('created, then refused', {
    'idp-create-user-if-unique': 'REQUIRED',
    'deny-access-authenticator': 'REQUIRED',
  }),
  flow('password and code', { 'auth-username-password-form': 'REQUIRED', 'auth-otp-form': 'REQUIRED' }),
]

const WEB = 'https://web.example'
const CB = `${WEB}/cb`

function client(clientId: string, more: Json = {}) {
  return {
    ...{ clientId, enabled: true, protocol: 'openid-connect', publicClient: false, secret: `secret-of-${clientId}` },
    ...{ standardFlowEnabled: true, directAccessGrantsEnabled: false, fullScopeAllowed: true, redirectUris: [CB] },
    ...more,
  }
}

const MACHINE = { serviceAccountsEnabled: true, standardFlowEnabled: false, redirectUris: [] }
const machine = (clientId: string, more: Json = {}) => client(clientId, { ...MACHINE, ...more })
const redirects = (clientId: string, redirectUris: readonly string[], more: Json = {}) =>
  client(clientId, { redirectUris, ...more })
const SCOPES = ['web-origins', 'acr', 'roles', 'basic']
const WITH = (name: string, value: string) => ({ attributes: { [name]: value } })

const clients = [
  client('web'),
  client('web-off', { enabled: false }),
  client('public', { publicClient: true }),
  client('public-pkce', { publicClient: true, ...WITH('pkce.code.challenge.method', 'S256') }),
  client('pkce', WITH('pkce.code.challenge.method', 'S256')),
  client('pkce-plain', WITH('pkce.code.challenge.method', 'plain')),
  client('pushed', WITH('require.pushed.authorization.requests', 'true')),
  client('dpop', { serviceAccountsEnabled: true, ...WITH('dpop.bound.access.tokens', 'true') }),
  client('mtls', { serviceAccountsEnabled: true, ...WITH('tls.client.certificate.bound.access.tokens', 'true') }),
  client('signed-request', WITH('request.object.required', 'request only')),
  client('level', { attributes: { 'minimum.acr.value': 'gold', 'acr.loa.map': '{"gold":"2"}' } }),
  client('consent', { consentRequired: true }),
  client('own-flow', { authenticationFlowBindingOverrides: { browser: 'flow-password-and-code' } }),
  client('implicit', { standardFlowEnabled: false, implicitFlowEnabled: true }),
  client('device', { standardFlowEnabled: false, ...WITH('oauth2.device.authorization.grant.enabled', 'true') }),
  client('exchange', WITH('standard.token.exchange.enabled', 'true')),
  client('passwords', { standardFlowEnabled: false, directAccessGrantsEnabled: true, redirectUris: [] }),
  client('nothing', { standardFlowEnabled: false, redirectUris: [] }),
  client('few-roles', { fullScopeAllowed: false }),
  client('no-email', { defaultClientScopes: SCOPES, optionalClientScopes: [] }),
  client('no-offline', {
    defaultClientScopes: [...SCOPES, 'profile', 'email'],
    optionalClientScopes: ['phone', 'address'],
  }),
  client('no-refresh', WITH('use.refresh.tokens', 'false')),
  client('short', WITH('access.token.lifespan', '60')),
  client('ciba', WITH('oidc.ciba.grant.enabled', 'true')),
  client('encrypted', WITH('id.token.encrypted.response.alg', 'RSA-OAEP')),
  client('saml', { protocol: 'saml', redirectUris: ['https://sp.example/acs'] }),
  client('bearer-only', { bearerOnly: true, redirectUris: [] }),
  client('resources', { serviceAccountsEnabled: true, authorizationServicesEnabled: true }),
  machine('job'),
  machine('job-off', { enabled: false }),
  machine('job-expired', WITH('client.secret.expiration.time', '1700000000')),
  machine('job-secret-jwt', { clientAuthenticatorType: 'client-secret-jwt' }),
  machine('job-jwt', {
    clientAuthenticatorType: 'client-jwt',
    attributes: { 'use.jwks.url': 'true', 'jwks.url': 'https://job.example/jwks' },
  }),
  machine('job-x509', { clientAuthenticatorType: 'client-x509', ...WITH('x509.subjectdn', 'CN=job') }),
  machine('job-dpop', WITH('dpop.bound.access.tokens', 'true')),
  machine('job-mtls', WITH('tls.client.certificate.bound.access.tokens', 'true')),
  client('both', { serviceAccountsEnabled: true }),
  redirects('host-star', ['https://*.corp.example/cb', 'https://corp.example/cb']),
  redirects('middle-star', ['https://middle.example/*/cb']),
  redirects('end-star', ['https://end.example/app/*']),
  redirects('query-star', ['https://query.example/cb?*']),
  redirects('word-star', ['https://word.example/cb*']),
  redirects('bare-star', ['https://bare.example*']),
  redirects('any', ['*']),
  redirects('local', ['http://localhost:3000/cb'], { publicClient: true }),
  redirects('local-star', ['http://localhost:3000/*', 'https://local.example/*']),
  redirects('local-web', ['http://localhost:3000/cb', 'https://local.example/*']),
  redirects('local-number', ['http://127.0.0.1:3000/cb'], { publicClient: true }),
  redirects('app', ['com.example.app:/cb', 'http://127.0.0.1/cb'], { publicClient: true }),
  redirects('app-star', ['com.example.app:*'], { publicClient: true }),
  redirects('relative', ['/cb', '/admin/*'], { rootUrl: 'https://root.example/app' }),
  redirects('relative-rootless', ['/cb']),
  redirects('upper', ['HTTPS://Upper.Example/CB']),
  redirects('query', ['https://query.example/cb?tenant=a']),
  redirects('dots', ['https://dots.example/a/../cb']),
]

const organizations = [
  {
    ...{ name: 'Partner', alias: 'partner', enabled: true, domains: [{ name: 'partner.example', verified: true }] },
    identityProviders: [{ alias: 'oidc-domain' }, { alias: 'oidc-any-domain' }, { alias: 'oidc-organization' }],
    members: [{ username: 'member', membershipType: 'UNMANAGED' }],
  },
  {
    ...{ name: 'Closed', alias: 'closed', enabled: false, domains: [{ name: 'closed.example', verified: true }] },
    identityProviders: [{ alias: 'oidc-closed-organization' }],
    members: [{ username: 'closed-member', membershipType: 'MANAGED' }],
  },
]

const KEYS = 'org.keycloak.keys.KeyProvider'
const key = (name: string, providerId: string, config: Json = {}) => ({
  ...{ name, providerId, subComponents: {} },
  config: { priority: ['10'], ...config },
})
const OFF = { enabled: ['false'], active: ['false'] }

const components = {
  [KEYS]: [
    key('signs', 'rsa-generated', { priority: ['100'] }),
    key('passive', 'rsa-generated', { active: ['false'] }),
    key('revoked', 'rsa-generated', OFF),
    key('revoked-ec', 'ecdsa-generated', OFF),
    key('ec', 'ecdsa-generated', { ecdsaEllipticCurveKey: ['P-384'] }),
    key('ed', 'eddsa-generated'),
    key('pss', 'rsa-generated', { algorithm: ['PS256'] }),
    key('encrypts', 'rsa-enc-generated', { algorithm: ['RSA-OAEP'] }),
    key('hmac', 'hmac-generated', { algorithm: ['HS512'] }),
    key('aes', 'aes-generated'),
  ],
}

/** The realm, as its administrators would make it with the API. */
export const OUTSIDE = {
  ...{ realm: REALM, enabled: true, displayName: 'Outside', sslRequired: 'none', organizationsEnabled: true },
  ...{ registrationAllowed: false, resetPasswordAllowed: false, verifyEmail: true, bruteForceProtected: true },
  ...rightsRealm,
  identityProviders: providers,
  identityProviderMappers,
  authenticationFlows,
  clients,
  organizations,
  components,
}
