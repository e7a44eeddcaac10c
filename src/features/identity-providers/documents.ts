/** The kinds of this module, and the functions that find providers. */
import type { App } from '../../module/app.ts'
import { type Document, type Filter, kind, type Page, type Query, type Reader } from '../../store/index.ts'
import { effectiveSettings } from '../settings/index.ts'
import {
  type IdentityProvider,
  identityProvider,
  isLiving,
  type LivingProvider,
  ownedName,
  providerSecret,
} from './decider.ts'
import { identityProviderEvents, providerSecretEvents } from './events.ts'
import { identityProviderRefusals } from './refusals.ts'

/** The claim that makes a name unique among an owner's providers. */
export const PROVIDER_NAME_CLAIM = 'identity-provider-name'

/** `typedName` is the name as typed, for case-sensitive filters. They are rare, so it has no index. */
export const identityProviders = kind({
  name: 'identity-provider',
  ids: 'own',
  waits: false,
  path: true,
  version: 7,
  events: identityProviderEvents,
  decider: identityProvider,
  refusals: identityProviderRefusals,
  fields: {
    name: { path: ['search', 'name'], type: 'text' },
    typedName: { path: ['name'], type: 'text', indexed: false },
    signIn: { path: ['search', 'signIn'], type: 'text' },
  },
  claims: (state) =>
    isLiving(state)
      ? [
          {
            kind: PROVIDER_NAME_CLAIM,
            within: 'parent',
            value: ownedName(state.owner, state.name),
            taken: 'identity_provider.name_taken',
          },
        ]
      : [],
  isGone: (state) => state.status === 'removed',
  limits: [{ things: 'identity providers', holder: 'an organization or the instance', by: ['owner'], number: 500 }],
})

/** A name by which providers can be filtered or sorted. */
export type ProviderField = keyof typeof identityProviders.fields & string

/** The ID of a secret is the ID of its provider. */
export const providerSecrets = kind({
  name: 'identity-provider-secret',
  ids: { of: 'identity-provider' },
  waits: false,
  path: { changedBy: 'Whoever sets it changes its identity provider, which has the reach.' },
  version: 2,
  events: providerSecretEvents,
  decider: providerSecret,
  refusals: identityProviderRefusals,
  fields: {},
  isGone: (state) => state.status === 'removed',
  sealed(state) {
    if (state.status !== 'set') return []
    const before = state.secret.value
    return [{ member: 'value', text: before, reseal: (value) => ({ type: 'reseal', before, value }) as const }]
  },
})

/** The place for which the secret of a provider is encrypted. */
export function secretPlace(providerId: string) {
  return { kind: providerSecrets.name, id: providerId, member: 'value' } as const
}

function living(document: Document<IdentityProvider> | undefined): Document<LivingProvider> | undefined {
  return document !== undefined && isLiving(document.state) ? (document as Document<LivingProvider>) : undefined
}

/** The provider, active or not; undefined when there is none. */
export async function findProvider(
  app: App,
  id: string,
  reader: Reader = app.store,
): Promise<Document<LivingProvider> | undefined> {
  return living(await reader.get(identityProviders, id))
}

/** The provider, if it belongs to one of these owners (an organization or the instance). */
export async function findProviderOf(
  app: App,
  id: string,
  owners: readonly string[],
  reader: Reader = app.store,
): Promise<Document<LivingProvider> | undefined> {
  const provider = await findProvider(app, id, reader)
  return provider !== undefined && owners.includes(provider.owner) ? provider : undefined
}

/** Few enough for a sign-in page. */
const MOST_ON_A_PAGE = 100

/**
 * The active providers of some owners, except those that a login policy excludes. The owners are in an `any`, so that
 * PostgreSQL uses the same index for the order and stops at the limit. This plan is fast for three providers and for
 * ten thousand.
 */
function isOffered(owners: readonly string[], withheld: readonly string[]): Filter<ProviderField> {
  const isActive = { any: owners.map((owner) => ({ field: 'signIn', startsWith: `${owner}\n` }) as const) }
  return withheld.length === 0 ? isActive : { all: [isActive, { not: { field: 'id', in: withheld } }] }
}

/** The providers that the login policy of an organization or of the instance offers. */
export async function listOffered(
  app: App,
  owner: string,
  page: Omit<Query<ProviderField>, 'where'>,
): Promise<Page<LivingProvider>> {
  const { withheldProviders } = await effectiveSettings(app, owner)
  const where = isOffered([...new Set([owner, app.instanceId])], withheldProviders)
  return (await app.store.find(identityProviders, { where, ...page })) as Page<LivingProvider>
}

/** The providers that users of an organization can sign in with: its own by name, then those of the instance. */
export async function providersForSignIn(
  app: App,
  organizationId: string,
): Promise<readonly Document<LivingProvider>[]> {
  const { withheldProviders } = await effectiveSettings(app, organizationId)
  /** Reads one range of one index, however many providers other owners have. */
  const firstOf = async (owner: string) => {
    const where = isOffered([owner], withheldProviders)
    const { documents } = await app.store.find(identityProviders, { where, orderBy: 'signIn', limit: MOST_ON_A_PAGE })
    return documents as readonly Document<LivingProvider>[]
  }
  const own = organizationId === app.instanceId ? [] : await firstOf(organizationId)
  return [...own, ...(await firstOf(app.instanceId))]
}
