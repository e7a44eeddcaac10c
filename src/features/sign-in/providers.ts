/** The identity providers for a user, on the sign-in pages and on the account page. */

import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Document, Reader } from '../../store/index.ts'
import { type IdentityLink, listIdentityLinks } from '../identity-links/index.ts'
import { findProvider, type LivingProvider, providersForSignIn } from '../identity-providers/index.ts'
import { instances } from '../instances/index.ts'
import { effectiveSettings } from '../settings/index.ts'
import type { Person } from './handlers/find-person.ts'

/** A provider for a button. */
export interface OfferedProvider {
  readonly id: string
  readonly name: string
  readonly look: 'google' | 'plain'
  /** What it was added as, for its mark. */
  readonly type: LivingProvider['type']
  /** Whether it is shown only where it is asked for by its ID. */
  readonly isHidden: boolean
}

/** How many links are read; far more than a user has. */
const MOST_LINKS = 100

function offer({ id, state }: Document<LivingProvider>): OfferedProvider {
  return {
    id,
    name: state.name,
    type: state.type,
    isHidden: state.options.isHidden === true,
    look: state.styling === 'google' || state.type === 'google' ? 'google' : 'plain',
  }
}

/** Whether the login policy of an organization lets its users sign in with a provider. */
export async function isProviderAllowed(
  app: App,
  organizationId: string,
  idpId: string,
  reader: Reader = app.store,
): Promise<boolean> {
  const { login, withheldProviders } = await effectiveSettings(app, organizationId, reader)
  return login.allowsExternal && !withheldProviders.includes(idpId)
}

/** Whether the providers of an owner are for users of an organization. */
export function isProviderFor({ instanceId }: App, owner: string, organizationId: string): boolean {
  return owner === organizationId || owner === instanceId
}

/** Whether users of an organization can sign in with a provider now. */
export async function isProviderUsable(
  app: App,
  { id, owner, state }: Document<LivingProvider>,
  organizationId: string,
  reader: Reader = app.store,
): Promise<boolean> {
  return (
    state.status === 'active' &&
    isProviderFor(app, owner, organizationId) &&
    (await isProviderAllowed(app, organizationId, id, reader))
  )
}

async function defaultOrganizationId({ store, instanceId }: App): Promise<string> {
  const instance = (await store.get(instances, instanceId))?.state
  return instance?.status === 'running' ? instance.defaultOrganizationId : instanceId
}

/**
 * The organization of a new user who signs in with a provider of this owner. Users of a provider of the instance join
 * the default organization, whichever one they visit, because a visitor cannot choose to join another one.
 */
export async function homeOf(app: App, owner: string): Promise<string> {
  return owner === app.instanceId ? defaultOrganizationId(app) : owner
}

async function allowedForSignIn(app: App, organizationId: string): Promise<readonly Document<LivingProvider>[]> {
  const { login } = await effectiveSettings(app, organizationId)
  return login.allowsExternal ? providersForSignIn(app, organizationId) : []
}

/**
 * The providers that users of an organization, or of the default one, can sign in with, hidden ones too; none when it is not
 * allowed.
 */
export async function offeredProviders(
  app: App,
  organizationId: string | undefined,
): Promise<readonly OfferedProvider[]> {
  return (await allowedForSignIn(app, organizationId ?? (await defaultOrganizationId(app)))).map(offer)
}

/** The providers with which visitors can create an account in an organization. */
export async function registeringProviders(app: App, organizationId: string): Promise<readonly OfferedProvider[]> {
  const allowed = await allowedForSignIn(app, organizationId)
  return allowed.filter(({ state: { options } }) => options.isCreationAllowed && options.isHidden !== true).map(offer)
}

/** The providers whose accounts a user can link. */
export async function linkableProviders(
  app: App,
  { organizationId }: Pick<Person, 'organizationId'>,
): Promise<readonly OfferedProvider[]> {
  const allowed = await allowedForSignIn(app, organizationId)
  return allowed.filter(({ state }) => state.options.isLinkingAllowed).map(offer)
}

/** A link of a user with its provider, if there is one. */
export interface LinkOfPerson extends IdentityLink {
  readonly createdAt: Instant
  readonly provider: Document<LivingProvider> | undefined
  /** Whether the user can sign in with it now. */
  readonly isUsable: boolean
}

/** The links of a user. */
export async function linksOf(
  app: App,
  { userId, organizationId }: Pick<Person, 'userId' | 'organizationId'>,
): Promise<readonly LinkOfPerson[]> {
  const { documents } = await listIdentityLinks(app, userId, { limit: MOST_LINKS })
  const read = async (id: string) => {
    const provider = await findProvider(app, id)
    return { provider, isUsable: provider !== undefined && (await isProviderUsable(app, provider, organizationId)) }
  }
  const ids = [...new Set(documents.map(({ state }) => state.idpId))]
  const providers = new Map(await Promise.all(ids.map(async (id) => [id, await read(id)] as const)))
  return documents.map(({ state, createdAt }) => {
    const { provider, isUsable = false } = providers.get(state.idpId) ?? {}
    const { userId: own, idpId, externalUserId, externalUserName } = state
    return { userId: own, idpId, externalUserId, externalUserName, createdAt, provider, isUsable }
  })
}

/** The providers that a user can sign in with again. */
export async function linkedProviders(
  app: App,
  person: Pick<Person, 'userId' | 'organizationId'>,
): Promise<readonly OfferedProvider[]> {
  const usable = new Map<string, OfferedProvider>()
  for (const { provider, isUsable } of await linksOf(app, person)) {
    if (provider !== undefined && isUsable) usable.set(provider.id, offer(provider))
  }
  return [...usable.values()]
}

/** The name of a provider. */
export async function providerName(app: App, idpId: string): Promise<string | undefined> {
  return (await findProvider(app, idpId))?.state.name
}
