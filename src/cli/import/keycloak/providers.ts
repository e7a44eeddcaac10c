/** The identity providers of a realm, and which of them exist here. */
import type { ProviderOptions, ProviderType } from '../../../features/identity-providers/index.ts'
import type { IdentityProviderDraft, ProviderValues } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { type Read, remark, undated } from '../read.ts'
import { RealmFlows } from './flows.ts'
import { ownerOf, type RealmPlace } from './place.ts'
import { isMaskedSecret } from './settings.ts'

/** How the types of Keycloak are called here. */
const TYPES: Readonly<Record<string, ProviderType>> = {
  oidc: 'oidc',
  'keycloak-oidc': 'oidc',
  google: 'google',
  github: 'github',
  microsoft: 'azure_ad',
  gitlab: 'gitlab',
}

/** The providers that are carried, by alias: users are linked with these. */
export type ProvidersByAlias = ReadonlyMap<string, string>

function idOf(provider: Members): string {
  return provider.maybeText('internalId') || provider.text('alias')
}

interface GitHubServer {
  readonly base: string
  readonly api: string
}

/** The server of a GitHub provider; undefined when only one of its two addresses is that of a company. */
function gitHubOf(config: Members): GitHubServer | 'github.com' | undefined {
  const address = (name: string, otherwise: string) => (config.maybeText(name)?.trim() || otherwise).replace(/\/+$/, '')
  const [base, api] = [address('baseUrl', 'https://github.com'), address('apiUrl', 'https://api.github.com')]
  const hosts = [base, api].map((text) => URL.parse(text)?.host)
  const own = hosts.filter((host, index) => host !== ['github.com', 'api.github.com'][index])
  if (own.length === 0) return 'github.com'
  return own.length === 2 && !hosts.includes(undefined) ? { base, api } : undefined
}

function typeOf(provider: Members): ProviderType | undefined {
  const type = TYPES[provider.text('providerId')]
  const config = provider.inner('config')
  if (type === 'github') {
    const server = gitHubOf(config)
    return server === 'github.com' ? 'github' : server && 'github_es'
  }
  if (type !== 'oidc' || config.maybeText('issuer')) return type
  return config.maybeText('userInfoUrl') ? 'oauth' : undefined
}

export function providersByAlias(realm: Members): ProvidersByAlias {
  const carried = realm.list('identityProviders').filter((provider) => typeOf(provider) !== undefined)
  return new Map(carried.map((provider) => [provider.text('alias'), idOf(provider)]))
}

function optionsOf(config: Members, creates: boolean): ProviderOptions {
  return {
    isLinkingAllowed: true,
    isCreationAllowed: creates,
    isAutoCreation: creates,
    isAutoUpdate: config.maybeText('syncMode') === 'FORCE',
    autoLinking: 'none',
  }
}

function valuesOf(provider: Members, type: ProviderType, config: Members, creates: boolean): ProviderValues {
  const scopes = (config.maybeText('defaultScope') ?? '').split(/\s+/).filter((scope) => scope !== '')
  const shared = { options: optionsOf(config, creates), scopes, usesPkce: config.maybeText('pkceEnabled') === 'true' }
  if (type === 'azure_ad')
    return { ...shared, tenant: config.maybeText('tenantId') || 'common', trustsEmail: provider.flag('trustEmail') }
  if (type === 'oidc') return { ...shared, issuer: config.text('issuer') }
  const server = type === 'github_es' ? gitHubOf(config) : undefined
  if (typeof server === 'object')
    return {
      ...shared,
      authorizationEndpoint: `${server.base}/login/oauth/authorize`,
      tokenEndpoint: `${server.base}/login/oauth/access_token`,
      userEndpoint: `${server.api}/user`,
    }
  if (type !== 'oauth') return shared
  return {
    ...shared,
    authorizationEndpoint: config.text('authorizationUrl'),
    tokenEndpoint: config.text('tokenUrl'),
    userEndpoint: config.text('userInfoUrl'),
    idAttribute: 'sub',
  }
}

function* remarksOf(provider: Members, config: Members): Generator<Read> {
  const alias = provider.text('alias')
  if (config.maybeText('hostedDomain'))
    yield remark('identity-provider', alias, 'Accounts of all domains can sign in: hostedDomain has no equivalent.')
  if (provider.flag('storeToken'))
    yield remark('identity-provider', alias, 'Tokens of the provider are not stored here, so storeToken has no effect.')
  if (config.maybeText('clientAuthMethod') && !/^client_secret_(basic|post)$/.test(config.text('clientAuthMethod')))
    yield remark('identity-provider', alias, 'The provider is asked with a client secret, not with a signed assertion.')
}

/** Which organization a provider belongs to, and for which of its domains. */
function organizationOf(provider: Members, realm: Members) {
  const alias = provider.text('alias')
  for (const organization of realm.list('organizations')) {
    const entry = organization.list('identityProviders').find((one) => one.maybeText('alias') === alias)
    if (entry === undefined && provider.maybeText('organizationId') !== organization.text('id')) continue
    const isActive = realm.flag('organizationsEnabled', true) && organization.flag('enabled', true)
    return { name: organization.text('name'), isActive, domain: entry?.inner('config').maybeText('kc.org.domain') }
  }
  return undefined
}

/** Why a provider is not active here: it lets fewer people in than it could here. */
function* closedBy(provider: Members, config: Members, realm: Members): Generator<string> {
  if (isTrue(config, 'filteredByClaim'))
    yield `Keycloak admits only users whose claim ${config.maybeText('claimFilterName')} is ${config.maybeText('claimFilterValue')}; that is not checked here. Have the provider admit only them before you activate it.`
  const organization = organizationOf(provider, realm)
  const domain = config.maybeText('kc.org.domain') || organization?.domain
  if (domain)
    yield `Keycloak admits only addresses of ${domain} (organization “${organization?.name ?? ''}”); that is not checked here. Have the provider admit only them before you activate it.`
  if (organization?.isActive === false) yield `Its organization “${organization.name}” is disabled.`
}

/** As Keycloak reads settings that are texts. */
function isTrue(config: Members, name: string): boolean {
  return config.maybeText(name)?.toLowerCase() === 'true'
}

/** The providers of a realm. */
export function* providersOf(realm: Members, place: RealmPlace): Generator<Read> {
  const names = new Set<string>()
  const flows = new RealmFlows(realm)
  for (const provider of realm.list('identityProviders')) {
    const [alias, type, config] = [provider.text('alias'), typeOf(provider), provider.inner('config')]
    if (type === undefined) {
      yield remark(
        'identity-provider',
        alias,
        provider.text('providerId') === 'github'
          ? 'Only one of baseUrl and apiUrl is that of your own GitHub: correct the export, or add the provider yourself. Its links stay behind, too.'
          : `There is no identity provider of the type ${provider.text('providerId')}.`,
      )
      continue
    }
    const wished = provider.maybeText('displayName') || alias
    const name = names.has(wished) ? alias : wished
    names.add(name)
    const secret = config.maybeText('clientSecret') ?? ''
    const isHidden = provider.flag('hideOnLogin') || provider.flag('linkOnly')
    const createsUsers = flows.createsUsers(provider)
    const closed = [...closedBy(provider, config, realm)]
    const draft: IdentityProviderDraft = {
      kind: 'identity-provider',
      id: idOf(provider),
      organizationId: ownerOf(place),
      ...undated(place),
      name,
      isActive: provider.flag('enabled', true) && closed.length === 0,
      type,
      clientId: config.text('clientId'),
      ...(secret !== '' && !isMaskedSecret(secret) && { clientSecret: secret }),
      values: valuesOf(provider, type, config, createsUsers && !provider.flag('linkOnly')),
      ...(isHidden && { choices: [{ organizationId: ownerOf(place), isOffered: false }] }),
    }
    yield draft
    if (draft.clientSecret === undefined)
      yield remark('identity-provider', alias, 'The export has no client secret: enter it before users sign in.')
    for (const reason of closed) yield remark('identity-provider', alias, `It is not active. ${reason}`)
    if (!createsUsers && !provider.flag('linkOnly'))
      yield remark(
        'identity-provider',
        alias,
        'It creates nobody: its first login flow does not create a user for everyone. Users whose account is linked sign in with it.',
      )
    yield* remarksOf(provider, config)
  }
  for (const mapper of realm.list('identityProviderMappers'))
    yield remark(
      'identity-provider-mapper',
      `${mapper.maybeText('identityProviderAlias') ?? ''}: ${mapper.text('name')}`,
      'Mappers of identity providers have no equivalent: names and the email address are taken from the usual claims.',
    )
}
