/** The identity providers of a realm, and which of them exist here. */
import type { ProviderOptions, ProviderType } from '../../../features/identity-providers/index.ts'
import type { IdentityProviderDraft, ProviderValues } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { type Read, remark, undated } from '../read.ts'
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

function typeOf(provider: Members): ProviderType | undefined {
  const type = TYPES[provider.text('providerId')]
  const config = provider.inner('config')
  if (type !== 'oidc' || config.maybeText('issuer')) return type
  return config.maybeText('userInfoUrl') ? 'oauth' : undefined
}

export function providersByAlias(realm: Members): ProvidersByAlias {
  const carried = realm.list('identityProviders').filter((provider) => typeOf(provider) !== undefined)
  return new Map(carried.map((provider) => [provider.text('alias'), idOf(provider)]))
}

function optionsOf(provider: Members, config: Members): ProviderOptions {
  const creates = !provider.flag('linkOnly')
  return {
    isLinkingAllowed: true,
    isCreationAllowed: creates,
    isAutoCreation: creates,
    isAutoUpdate: config.maybeText('syncMode') === 'FORCE',
    autoLinking: 'none',
  }
}

function valuesOf(provider: Members, type: ProviderType, config: Members): ProviderValues {
  const scopes = (config.maybeText('defaultScope') ?? '').split(/\s+/).filter((scope) => scope !== '')
  const shared = { options: optionsOf(provider, config), scopes, usesPkce: config.maybeText('pkceEnabled') === 'true' }
  if (type === 'azure_ad')
    return { ...shared, tenant: config.maybeText('tenantId') || 'common', trustsEmail: provider.flag('trustEmail') }
  if (type === 'oidc') return { ...shared, issuer: config.text('issuer') }
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

/** The providers of a realm. */
export function* providersOf(realm: Members, place: RealmPlace): Generator<Read> {
  const names = new Set<string>()
  for (const provider of realm.list('identityProviders')) {
    const [alias, type, config] = [provider.text('alias'), typeOf(provider), provider.inner('config')]
    if (type === undefined) {
      yield remark(
        'identity-provider',
        alias,
        `There is no identity provider of the type ${provider.text('providerId')}.`,
      )
      continue
    }
    const wished = provider.maybeText('displayName') || alias
    const name = names.has(wished) ? alias : wished
    names.add(name)
    const secret = config.maybeText('clientSecret') ?? ''
    const isHidden = provider.flag('hideOnLogin') || provider.flag('linkOnly')
    const draft: IdentityProviderDraft = {
      kind: 'identity-provider',
      id: idOf(provider),
      organizationId: ownerOf(place),
      ...undated(place),
      name,
      isActive: provider.flag('enabled', true),
      type,
      clientId: config.text('clientId'),
      ...(secret !== '' && !isMaskedSecret(secret) && { clientSecret: secret }),
      values: valuesOf(provider, type, config),
      ...(isHidden && { choices: [{ organizationId: ownerOf(place), isOffered: false }] }),
    }
    yield draft
    if (draft.clientSecret === undefined)
      yield remark('identity-provider', alias, 'The export has no client secret: enter it before users sign in.')
    yield* remarksOf(provider, config)
  }
  for (const mapper of realm.list('identityProviderMappers'))
    yield remark(
      'identity-provider-mapper',
      `${mapper.maybeText('identityProviderAlias') ?? ''}: ${mapper.text('name')}`,
      'Mappers of identity providers have no equivalent: names and the email address are taken from the usual claims.',
    )
}
