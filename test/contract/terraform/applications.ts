/** Applications and their keys, with the methods of the first version and with those of the second one. */
import { spMetadata } from '../../support/service-provider.ts'
import { type Api, type Attributes, aProject, type Names, type Resource, type Resources } from './resource.ts'

const FLOWS = {
  redirectUris: ['https://shop.example.com/callback'],
  responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
  grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'OIDC_GRANT_TYPE_REFRESH_TOKEN'],
  postLogoutRedirectUris: ['https://shop.example.com'],
  authMethodType: 'OIDC_AUTH_METHOD_TYPE_BASIC',
  accessTokenType: 'OIDC_TOKEN_TYPE_JWT',
  accessTokenRoleAssertion: true,
  idTokenRoleAssertion: true,
  idTokenUserinfoAssertion: true,
  clockSkew: '5s',
  additionalOrigins: ['https://cdn.example.com'],
  skipNativeAppSuccessPage: false,
  backChannelLogoutUri: 'https://shop.example.com/logout',
  loginVersion: { loginV2: { baseUri: 'https://login.example.com' } },
}
const OTHER_FLOWS = {
  redirectUris: ['https://shop.example.com/callback', 'https://shop.example.com/other'],
  grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
  postLogoutRedirectUris: [],
  authMethodType: 'OIDC_AUTH_METHOD_TYPE_POST',
  accessTokenType: 'OIDC_TOKEN_TYPE_BEARER',
  accessTokenRoleAssertion: false,
  clockSkew: '0s',
  additionalOrigins: [],
  loginVersion: { loginV1: {} },
}
const METADATA = metadataOf('https://service.example.com')
const OTHER_METADATA = metadataOf('https://service.example.com/other')

function metadataOf(entityId: string): string {
  return spMetadata(entityId).metadata.value.toString('base64')
}

/** An application, by methods that are called `Add…App`, and `Update…AppConfig` for what is not its name. */
function before(name: 'OIDC' | 'API' | 'SAML', first: Attributes, second: Attributes): Resource {
  return {
    first: { name, ...first },
    second: { name: `${name}, renamed`, ...second },
    async create(api, attributes) {
      const project = await aProject(api)
      const { appId } = await api.management(`Add${name}App`, { ...project, ...attributes })
      return { ...project, appId }
    },
    async read({ management }, names) {
      const { app } = await management('GetAppByID', names)
      return app && { name: app.name, ...app[`${name.toLowerCase()}Config`] }
    },
    async update({ management }, names, attributes) {
      const { app } = await management('GetAppByID', names)
      if (String(app?.name) !== attributes.name) await management('UpdateApp', { ...names, name: attributes.name })
      const { name: _, version: _fixed, ...config } = attributes
      await management(`Update${name}AppConfig`, { ...names, ...config })
    },
    delete: ({ management }, names) => management('RemoveApp', names),
  }
}

/** An application, whose configuration is a block. */
function block(name: string, first: Attributes, second: Attributes, fixed: readonly string[] = []): Resource {
  return {
    first: { name: 'Web', ...first },
    second: { name: 'Web, renamed', ...second },
    async create(api, attributes) {
      const { name: title, ...config } = attributes
      const request = { ...(await aProject(api)), name: title, [name]: config }
      const { applicationId } = await api.application('CreateApplication', request)
      return { applicationId, projectId: request.projectId }
    },
    async read(api, { applicationId }) {
      const { application } = await api.application('GetApplication', { applicationId })
      return application && { name: application.name, ...application[name] }
    },
    update(api, names, { name: title, ...attributes }) {
      const config = Object.fromEntries(Object.entries(attributes).filter(([member]) => !fixed.includes(member)))
      return api.application('UpdateApplication', { ...names, name: title, [name]: config })
    },
    delete: (api, names) => api.application('DeleteApplication', names),
  }
}

const FIXED = { version: 'OIDC_VERSION_1_0' }

async function anApi(api: Api): Promise<Names> {
  const names = await aProject(api)
  const authMethodType = 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT'
  const { appId } = await api.management('AddAPIApp', { ...names, name: 'Service', authMethodType })
  return { ...names, appId }
}

export const APPLICATIONS: Resources = {
  application_oidc: before(
    'OIDC',
    { ...FLOWS, ...FIXED, appType: 'OIDC_APP_TYPE_WEB', devMode: false },
    { ...OTHER_FLOWS, devMode: true },
  ),
  application_api: before(
    'API',
    { authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' },
    { authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' },
  ),
  application_saml: before(
    'SAML',
    { metadataXml: METADATA, loginVersion: FLOWS.loginVersion },
    { metadataXml: OTHER_METADATA },
  ),
  'application_v2 oidc': block(
    'oidcConfiguration',
    { ...FLOWS, ...FIXED, applicationType: 'OIDC_APP_TYPE_WEB', developmentMode: true },
    // An update without values leaves a list as it is.
    {
      ...OTHER_FLOWS,
      postLogoutRedirectUris: ['https://shop.example.com/out'],
      additionalOrigins: ['https://b.example.com'],
    },
    ['version', 'developmentMode'],
  ),
  'application_v2 api': block(
    'apiConfiguration',
    { authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' },
    { authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' },
  ),
  'application_v2 saml': block(
    'samlConfiguration',
    { metadataXml: metadataOf('https://v2.example.com'), loginVersion: FLOWS.loginVersion },
    { metadataXml: metadataOf('https://v2.example.com/other') },
  ),
  application_key: {
    first: { type: 'KEY_TYPE_JSON', expirationDate: '2519-04-01T08:45:00Z' },
    async create(api, attributes) {
      const names = await anApi(api)
      return { ...names, keyId: (await api.management('AddAppKey', { ...names, ...attributes })).id }
    },
    read: async ({ management }, names) => (await management('GetAppKey', names)).key,
    delete: ({ management }, names) => management('RemoveAppKey', names),
  },
}
