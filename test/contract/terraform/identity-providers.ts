/** Identity providers of the instance and of organizations. */
import { generateKeyPairSync } from 'node:crypto'
import { upstreamMetadata } from '../../support/response-forger.ts'
import { type Attributes, base64, type Resource, type Resources } from './resource.ts'

const OPTIONS = {
  isLinkingAllowed: true,
  isCreationAllowed: true,
  isAutoCreation: false,
  isAutoUpdate: true,
  autoLinking: 'AUTO_LINKING_OPTION_USERNAME',
}
const OTHER_OPTIONS = { isLinkingAllowed: false, isAutoCreation: true, autoLinking: 'AUTO_LINKING_OPTION_EMAIL' }
const CLIENT = { clientId: 'client', scopes: ['openid', 'profile', 'email'] }
const OTHER_CLIENT = { clientId: 'other', scopes: ['openid'] }
const SECRET = { clientSecret: 'secret' }
const ENDPOINTS = {
  authorizationEndpoint: 'https://code.example.com/authorize',
  tokenEndpoint: 'https://code.example.com/token',
  userEndpoint: 'https://code.example.com/user',
}
const privateKey = base64(
  String(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })),
)

interface Kind {
  /** As it is called in methods. */
  readonly method: string
  /** The member with its configuration. */
  readonly member: string
  readonly first: Attributes
  readonly second: Attributes
  /** What is written and never read. */
  readonly secrets: Attributes
}

/** A kind with the ID and secret of a client. */
function client(method: string, member: string, first: Attributes = {}, second: Attributes = {}): Kind {
  return {
    method,
    member,
    first: { ...CLIENT, ...first },
    second: { ...OTHER_CLIENT, ...second },
    secrets: SECRET,
  }
}

const LDAP: Kind = {
  method: 'LDAP',
  member: 'ldap',
  first: {
    servers: ['ldaps://ldap.example.com:636'],
    startTls: false,
    baseDn: 'dc=example,dc=com',
    bindDn: 'cn=reader,dc=example,dc=com',
    userBase: 'dn',
    userObjectClasses: ['user'],
    userFilters: ['mail', 'uid'],
    timeout: '10s',
  },
  second: { startTls: true, servers: ['ldap://ldap.example.com'] },
  secrets: { bindPassword: 'secret', attributes: { idAttribute: 'entryUUID', emailAttribute: 'mail' } },
}
const SAML: Kind = {
  method: 'SAML',
  member: 'saml',
  first: {
    metadataXml: base64(upstreamMetadata('https://upstream.example')),
    binding: 'SAML_BINDING_POST',
    withSignedRequest: true,
    nameIdFormat: 'SAML_NAME_ID_FORMAT_TRANSIENT',
    transientMappingAttributeName: 'uid',
    federatedLogoutEnabled: true,
    signatureAlgorithm: 'SAML_SIGNATURE_RSA_SHA512',
  },
  second: { binding: 'SAML_BINDING_REDIRECT', federatedLogoutEnabled: false },
  secrets: {},
}

const KINDS: Readonly<Record<string, Kind>> = {
  apple: {
    method: 'Apple',
    member: 'apple',
    first: { clientId: 'com.example.app', teamId: 'ABCDE12345', keyId: 'KEY1234567', scopes: ['name', 'email'] },
    second: { keyId: 'KEY7654321', scopes: ['email'] },
    secrets: { privateKey },
  },
  azure_ad: client(
    'AzureAD',
    'azureAd',
    { tenant: { tenantId: '6e6d2d1c-5b1f-4c6e-9a43-0d8f0c9a7e11' }, emailVerified: true },
    { tenant: { tenantType: 'AZURE_AD_TENANT_TYPE_ORGANISATIONS' }, emailVerified: false },
  ),
  github: client('GitHub', 'github'),
  github_es: client('GitHubEnterpriseServer', 'githubEs', ENDPOINTS, { userEndpoint: 'https://code.example.com/me' }),
  gitlab: client('GitLab', 'gitlab'),
  gitlab_self_hosted: client(
    'GitLabSelfHosted',
    'gitlabSelfHosted',
    { issuer: 'https://gitlab.example.com' },
    { issuer: 'https://git.example.com' },
  ),
  google: client('Google', 'google'),
  ldap: LDAP,
  oauth: client(
    'GenericOAuth',
    'oauth',
    { ...ENDPOINTS, idAttribute: 'sub', usePkce: true },
    { idAttribute: 'user_id', usePkce: false },
  ),
  oidc: client(
    'GenericOIDC',
    'oidc',
    { issuer: 'https://a.example.com', isIdTokenMapping: true, usePkce: true },
    { issuer: 'https://b.example.com', isIdTokenMapping: false, usePkce: false },
  ),
  saml: SAML,
}

/** A provider: the members of its options and of its configuration are attributes of one resource. */
function provider(service: 'admin' | 'management', { method, member, first, second, secrets }: Kind): Resource {
  const requestOf = (attributes: Attributes) => {
    const own = Object.entries(attributes).filter(([name]) => !(name in OPTIONS))
    const providerOptions = Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, attributes[name]]))
    return { ...Object.fromEntries(own), ...secrets, providerOptions }
  }
  return {
    first: { name: method, ...first, ...OPTIONS },
    second: { name: `${method}, renamed`, ...second, ...OTHER_OPTIONS },
    create: async (api, attributes) => ({
      id: (await api[service](`Add${method}Provider`, requestOf(attributes))).id,
    }),
    async read(api, names) {
      const { idp } = await api[service]('GetProviderByID', names)
      return idp && { name: idp.name, ...idp.config?.options, ...idp.config?.[member] }
    },
    update: (api, names, attributes) => api[service](`Update${method}Provider`, { ...names, ...requestOf(attributes) }),
    delete: (api, names) => api[service]('DeleteProvider', names),
  }
}

/** A provider with signed tokens, by the older methods: one replaces its name, another one its connection. */
const orgIdpJwt: Resource = {
  first: {
    name: 'Gate',
    stylingType: 'STYLING_TYPE_GOOGLE',
    autoRegister: false,
    jwtEndpoint: 'https://apps.example.com/sign-in',
    issuer: 'https://login.example.com',
    keysEndpoint: 'https://login.example.com/keys',
    headerName: 'x-auth-token',
  },
  second: { name: 'Other gate', issuer: 'https://b.example.com', headerName: 'x-b', autoRegister: true },
  create: async ({ management }, attributes) => ({ idpId: (await management('AddOrgJWTIDP', attributes)).idpId }),
  async read({ management }, names) {
    const { idp } = await management('GetOrgIDPByID', names)
    return idp && { ...idp, ...idp.jwtConfig }
  },
  async update(api, names, attributes) {
    const current = (await this.read(api, names)) as Attributes
    const hasOther = (parts: Attributes) => Object.keys(parts).some((name) => current[name] !== attributes[name])
    const { name, stylingType, autoRegister, ...connection } = attributes
    const styling = { name, stylingType, autoRegister }
    if (hasOther(styling)) await api.management('UpdateOrgIDP', { ...names, ...styling })
    if (hasOther(connection)) await api.management('UpdateOrgIDPJWTConfig', { ...names, ...connection })
  },
  delete: ({ management }, names) => management('RemoveOrgIDP', names),
}

export const IDENTITY_PROVIDERS: Resources = {
  ...Object.fromEntries(
    Object.entries(KINDS).flatMap(([name, kind]) => [
      [`idp_${name}`, provider('admin', kind)],
      [`org_idp_${name}`, provider('management', kind)],
    ]),
  ),
  org_idp_jwt: orgIdpJwt,
}
