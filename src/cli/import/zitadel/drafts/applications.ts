/** Applications as drafts. */
import { MetadataProblem } from '../../../../crypto/xml/saml-metadata.ts'
import {
  type ApiConfig,
  type ApplicationConfig,
  type OidcConfig,
  readServiceProvider,
  type SamlConfig,
} from '../../../../features/applications/index.ts'
import { derivedId } from '../../derived-id.ts'
import type { Dated } from '../fold.ts'
import { type ApplicationState, applications } from '../folds/projects.ts'
import { folded, type Item, type Reading, remark, removed } from '../reading.ts'
import { keyDrafts } from './keys.ts'

const RESPONSE_TYPES = ['code', 'id_token', 'id_token_token'] as const
const GRANT_TYPES = ['authorization_code', 'implicit', 'refresh_token', 'device_code', 'token_exchange'] as const
const APPLICATION_TYPES = ['web', 'user_agent', 'native'] as const
const AUTH_METHODS = ['basic', 'post', 'none', 'private_key_jwt'] as const

function named<Name>(names: readonly Name[], numbers: readonly number[] = []): Name[] {
  return numbers.flatMap((number) => names[number] ?? [])
}

function loginVersion({ loginVersion, loginBaseURI }: ApplicationState['values']): Pick<OidcConfig, 'loginVersion'> {
  if (loginVersion === 1) return { loginVersion: { type: 'v1' } }
  if (loginVersion !== 2) return {}
  return { loginVersion: { type: 'v2', ...(loginBaseURI && { baseUri: loginBaseURI }) } }
}

function mobileApps(values: ApplicationState['values']): Pick<OidcConfig, 'ios' | 'android'> {
  const { iosTeamId: teamId, iosBundleId: bundleId, androidPackageName: packageName } = values
  return {
    ...(teamId && bundleId && { ios: { teamId, bundleId } }),
    ...(packageName && { android: { packageName, fingerprints: values.androidSha256CertFingerprints ?? [] } }),
  }
}

function oidcConfig({ values }: ApplicationState): OidcConfig {
  return {
    type: 'oidc',
    redirectUris: values.redirectUris ?? [],
    postLogoutRedirectUris: values.postLogoutRedirectUris ?? [],
    responseTypes: named(RESPONSE_TYPES, values.responseTypes),
    grantTypes: named(GRANT_TYPES, values.grantTypes),
    applicationType: APPLICATION_TYPES[values.applicationType ?? 0] ?? 'web',
    authMethod: AUTH_METHODS[values.authMethodType ?? 0] ?? 'basic',
    developmentMode: values.devMode ?? false,
    accessTokenType: values.accessTokenType === 1 ? 'jwt' : 'bearer',
    accessTokenRoleAssertion: values.accessTokenRoleAssertion ?? false,
    idTokenRoleAssertion: values.idTokenRoleAssertion ?? false,
    idTokenUserinfoAssertion: values.idTokenUserinfoAssertion ?? false,
    clockSkewMs: values.clockSkew ?? 0,
    additionalOrigins: values.additionalOrigins ?? [],
    backChannelLogoutUri: values.backChannelLogoutURI ?? '',
    skipNativeAppSuccessPage: values.skipNativeAppSuccessPage ?? false,
    isThirdParty: false,
    ...loginVersion(values),
    ...mobileApps(values),
  }
}

function apiConfig({ values }: ApplicationState): ApiConfig {
  return { type: 'api', authMethod: values.authMethodType === 1 ? 'private_key_jwt' : 'basic' }
}

/** A service provider as its metadata describe it, or why it stays behind. */
function samlConfig(application: ApplicationState): SamlConfig | string {
  const { metadata = '', metadata_url: metadataUrl = '' } = application.values
  const metadataXml = Buffer.from(metadata, 'base64').toString('utf8')
  if (metadataXml === '') return 'its metadata are missing'
  try {
    const said = readServiceProvider(metadataXml)
    const address = metadataUrl === '' ? {} : { metadataUrl }
    return { type: 'saml', metadataXml, ...address, ...said, ...loginVersion(application.values) }
  } catch (error) {
    if (!(error instanceof MetadataProblem)) throw error
    return `its metadata ${error.message}`
  }
}

function configOf(application: ApplicationState): ApplicationConfig | string {
  if (application.type === undefined) return 'it was never configured'
  if (application.type === 'saml') return samlConfig(application)
  return application.type === 'oidc' ? oidcConfig(application) : apiConfig(application)
}

function* draftOf(
  place: { readonly projectId: string; readonly organizationId: string },
  id: string,
  { value, createdAt, changedAt }: Dated<ApplicationState>,
): Generator<Item> {
  const { name, isActive, secret } = value
  const config = configOf(value)
  if (typeof config === 'string') {
    yield remark('application', id, `It stays behind: ${config}.`)
    return
  }
  const { keys, remarks } = keyDrafts(value.keys, 'application', id)
  yield {
    kind: 'application',
    id,
    ...place,
    createdAt,
    changedAt,
    name,
    isActive,
    // Each application has one here; service providers of SAML are known by their entity ID, and never use it.
    clientId: config.type === 'saml' ? derivedId('zitadel saml application', id) : (value.values.clientId ?? ''),
    ...(secret && { secret: { hash: secret } }),
    keys,
    config,
  }
  yield* remarks
}

export async function* applicationDrafts(reading: Reading): AsyncGenerator<Item> {
  for await (const { id: projectId, owner, state } of folded(reading, applications)) {
    for (const id of state.gone) yield removed({ kind: 'application', id })
    if (!(await reading.world.project(projectId))) continue
    for (const [id, application] of state.living) yield* draftOf({ projectId, organizationId: owner }, id, application)
  }
}
