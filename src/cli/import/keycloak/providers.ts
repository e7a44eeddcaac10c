/** The identity providers of a realm, and which of them exist here. */
import type { ProviderOptions, ProviderType, ProviderValues } from '../../../features/identity-providers/index.ts'
import type { IdentityProviderDraft } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { leadsElsewhere } from '../members/same-server.ts'
import { decide } from '../members/table.ts'
import { inactive, PAGES, type Read, remark, toDecide, undated } from '../read.ts'
import { RealmFlows } from './flows.ts'
import { ownerOf, type RealmPlace } from './place.ts'
import { isTrue, ORGANIZATION_PROVIDER, PROVIDER } from './provider-members.ts'
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

/** With which provider users are linked here, or why their links stay behind, by alias. */
export type ProvidersByAlias = ReadonlyMap<string, { readonly id: string } | { readonly because: string }>

interface GitHubServer {
  readonly base: string
  readonly api: string
}

/** The server of a GitHub provider; undefined when only one of its two addresses belongs to a company. */
function gitHubOf(config: Members): GitHubServer | 'github.com' | undefined {
  const address = (name: string, otherwise: string) => (config.maybeText(name)?.trim() || otherwise).replace(/\/+$/, '')
  const [base, api] = [address('baseUrl', 'https://github.com'), address('apiUrl', 'https://api.github.com')]
  const hosts = [base, api].map((text) => URL.parse(text)?.host)
  const own = hosts.filter((host, index) => host !== ['github.com', 'api.github.com'][index])
  if (own.length === 0) return 'github.com'
  return own.length === 2 && !hosts.includes(undefined) ? { base, api } : undefined
}

/** What a provider is here, or why it stays behind. */
function typeOf(provider: Members, config: Members): ProviderType | { readonly because: string } {
  const providerId = provider.text('providerId')
  const [type, issuer] = [TYPES[providerId], config.maybeText('issuer') ?? '']
  if (type === 'github') {
    const server = gitHubOf(config)
    if (server === undefined)
      return {
        because: 'Only one of baseUrl and apiUrl is the address of a company: Signet would ask the wrong server.',
      }
    return server === 'github.com' ? 'github' : 'github_es'
  }
  if (type === undefined)
    return { because: `Providers of the type ${providerId} are not carried: add it in the console.` }
  if (type !== 'oidc' || (issuer !== '' && !issuer.includes(','))) return type
  if (issuer !== '') return { because: 'It has several issuers, and a provider has one here.' }
  return config.maybeText('userInfoUrl') ? 'oauth' : { because: 'It has no issuer, and no userinfo endpoint.' }
}

/** Where Keycloak sends users of a provider; undefined where that is the same for all providers of the type. */
function authorizationAddressOf(provider: Members, config: Members): string | undefined {
  if (provider.text('providerId') !== 'github')
    return TYPES[provider.text('providerId')] === 'oidc' ? config.maybeText('authorizationUrl') : undefined
  return config.maybeText('baseUrl')?.trim() || 'https://github.com'
}

function optionsOf(provider: Members, config: Members, creates: boolean): ProviderOptions {
  const isHidden = provider.flag('hideOnLogin') || isTrue(config, 'hideOnLoginPage')
  return {
    isLinkingAllowed: true,
    isCreationAllowed: creates,
    isAutoCreation: creates,
    isAutoUpdate: config.maybeText('syncMode') === 'FORCE',
    autoLinking: 'none',
    // Keycloak never asks the provider whether it has checked an address, unless it is to be believed.
    emailTrust: provider.flag('trustEmail') ? 'always' : 'never',
    ...(isHidden && { isHidden }),
  }
}

function valuesOf(provider: Members, type: ProviderType, config: Members, creates: boolean): ProviderValues {
  const scopes = (config.maybeText('defaultScope') ?? '').split(/\s+/).filter((scope) => scope !== '')
  const shared = {
    options: optionsOf(provider, config, creates),
    scopes,
    usesPkce: isTrue(config, 'pkceEnabled'),
  }
  if (type === 'azure_ad') return { ...shared, tenant: config.maybeText('tenantId') || 'common' }
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

/** Which organization a provider belongs to, for which of its domains, and what that says besides. */
function organizationOf(provider: Members, realm: Members) {
  const alias = provider.text('alias')
  for (const organization of realm.list('organizations')) {
    const entry = organization.list('identityProviders').find((one) => one.maybeText('alias') === alias)
    if (entry === undefined && provider.maybeText('organizationId') !== organization.text('id')) continue
    const isActive = realm.flag('organizationsEnabled', true) && organization.flag('enabled', true)
    const domains = organization.list('domains').map((one) => one.text('name'))
    const domain = entry?.inner('config').maybeText('kc.org.domain')
    const closed = entry === undefined ? [] : decide(entry, ORGANIZATION_PROVIDER).closed
    return { name: organization.text('name'), isActive, domain, domains, closed }
  }
  return undefined
}

/** Why a provider is not active here, besides what its members say. */
function* closedBy(provider: Members, type: ProviderType, config: Members, realm: Members): Generator<string> {
  const organization = organizationOf(provider, realm)
  const named = config.maybeText('kc.org.domain') || organization?.domain
  const domain = named === 'ANY' ? organization?.domains.join(', ') || 'its organization' : named
  if (domain)
    yield `Keycloak admits only addresses of ${domain} (organization “${organization?.name ?? ''}”); that is not checked here. Have the provider admit only them before you activate it.`
  yield* organization?.closed ?? []
  if (organization?.isActive === false) yield `Its organization “${organization.name}” is disabled.`
  if (type === 'oauth') yield 'It has no issuer, so that its ID tokens are not checked: enter it as an OpenID provider.'
}

/** Why the links of a provider name other accounts than its users have here. */
function linksStayOf(provider: Members, realm: Members): string | undefined {
  if (provider.text('providerId') === 'microsoft')
    return 'Keycloak knows accounts of Microsoft by their object ID, and Signet by another one.'
  const alias = provider.text('alias')
  const mappers = realm
    .list('identityProviderMappers')
    .filter((one) => one.maybeText('identityProviderAlias') === alias)
  return mappers.some((mapper) => mapper.inner('config').maybeText('target') === 'BROKER_ID')
    ? 'A mapper makes up the IDs of its accounts (BROKER_ID).'
    : undefined
}

const KIND = 'identity-provider'
const NO_SECRET = 'The export has no client secret: enter it before users sign in.'

interface ReadProvider {
  readonly alias: string
  readonly link: { readonly id: string } | { readonly because: string }
  readonly draft?: IdentityProviderDraft
  /** The lines of the report. */
  readonly left: readonly Read[]
}

function readOne(provider: Members, realm: Members, flows: RealmFlows, place: RealmPlace, name: string): ReadProvider {
  const [alias, config] = [provider.text('alias'), provider.inner('config')]
  const type = typeOf(provider, config)
  const stays = (reason: string): ReadProvider => ({
    alias,
    link: { because: 'the provider is not carried' },
    left: [toDecide('check', PAGES.providers, KIND, alias, reason)],
  })
  if (typeof type === 'object') return stays(type.because)
  const isLinkOnly = provider.flag('linkOnly')
  const createsUsers = flows.createsUsers(provider)
  const values = valuesOf(provider, type, config, createsUsers && !isLinkOnly)
  const elsewhere = leadsElsewhere(authorizationAddressOf(provider, config), { type, values })
  if (elsewhere !== undefined) return stays(elsewhere)
  const decision = decide(provider, PROVIDER)
  const closed = [...new Set([...closedBy(provider, type, config, realm), ...decision.closed])]
  const [secret, linksStay] = [config.maybeText('clientSecret') ?? '', linksStayOf(provider, realm)]
  const draft: IdentityProviderDraft = {
    kind: 'identity-provider',
    id: provider.maybeText('internalId') || alias,
    organizationId: ownerOf(place),
    ...undated(place),
    name,
    isActive: provider.flag('enabled', true) && closed.length === 0,
    type,
    clientId: config.text('clientId'),
    ...(secret !== '' && !isMaskedSecret(secret) && { clientSecret: secret }),
    values,
    // Nobody signs in with it, however they get there.
    ...(isLinkOnly && { choices: [{ organizationId: ownerOf(place), isOffered: false }] }),
  }
  const page = PAGES.provider(draft.id)
  const left: Read[] = closed.map((reason) => inactive(page, KIND, alias, reason))
  if (draft.clientSecret === undefined) left.push(toDecide('secret', page, KIND, alias, NO_SECRET))
  const rest: string[] = []
  if (!createsUsers && !isLinkOnly)
    rest.push(
      'It creates nobody: its first login flow does not create a user for everyone. Users whose account is linked sign in with it.',
    )
  if (linksStay !== undefined)
    rest.push(
      `Links of users stay behind. ${linksStay} Users sign in another way and link their account again; who signs in with the provider first gets a second account.`,
    )
  const link = linksStay === undefined ? { id: draft.id } : { because: linksStay }
  return { alias, link, draft, left: [...left, ...[...rest, ...decision.left].map((one) => remark(KIND, alias, one))] }
}

/** The providers of a realm, each under a name of its own. */
export function readProviders(realm: Members, place: RealmPlace): readonly ReadProvider[] {
  const [names, flows] = [new Set<string>(), new RealmFlows(realm)]
  return realm.list('identityProviders').map((provider) => {
    const wished = provider.maybeText('displayName') || provider.text('alias')
    const name = names.has(wished) ? provider.text('alias') : wished
    names.add(name)
    return readOne(provider, realm, flows, place, name)
  })
}

export function providersByAlias(providers: readonly ReadProvider[]): ProvidersByAlias {
  return new Map(providers.map(({ alias, link }) => [alias, link]))
}

/** What a realm's providers become. */
export function* providersOf(realm: Members, providers: readonly ReadProvider[]): Generator<Read> {
  for (const { draft, left } of providers) {
    if (draft !== undefined) yield draft
    yield* left
  }
  for (const mapper of realm.list('identityProviderMappers'))
    yield remark(
      'identity-provider-mapper',
      `${mapper.maybeText('identityProviderAlias') ?? ''}: ${mapper.text('name')}`,
      'Mappers of identity providers have no equivalent: names and the email address are taken from the usual claims.',
    )
}
