/** Which providers there are for whom: asked by the pages of signing in and of one's own account alike. */
import { listIdentityLinks } from '../features/identity-links/index.ts'
import { findProvider, type LivingProvider, providersForSignIn } from '../features/identity-providers/index.ts'
import { instances } from '../features/instances/index.ts'
import type { SessionsNeeds } from '../features/sessions/index.ts'
import { effectiveSettings } from '../features/settings/index.ts'
import type { IntentsNeeds } from '../features/sign-in-intents/index.ts'
import type { UsersNeeds } from '../features/users/index.ts'
import type { Document } from '../store/index.ts'
import type { OfferedProvider } from './external-ports.ts'
import type { Person } from './sign-in-ports.ts'

export interface ExternalNeeds {
  readonly sessions: Pick<SessionsNeeds, 'store' | 'instanceId'>
  readonly intents: IntentsNeeds
  readonly users: UsersNeeds
}

/** Links that are looked at; nobody has as many. */
const MOST_LINKS = 100

/** A provider as a button shows it. */
export function offer({ id, state }: Document<LivingProvider>): OfferedProvider {
  return {
    id,
    name: state.name,
    look: state.styling === 'google' || state.type === 'google' ? 'google' : 'plain',
  }
}

/** Opens the answers; nothing is kept between them. */
export function openProviders({ sessions: { store, instanceId } }: Pick<ExternalNeeds, 'sessions'>) {
  const rulesOf = (organizationId: string) => effectiveSettings(store, organizationId, instanceId)

  /** Whether the login policy of an organization lets its people sign in with a provider. */
  const allows = async (organizationId: string, idpId: string): Promise<boolean> => {
    const { login, withheldProviders } = await rulesOf(organizationId)
    return login.allowsExternal && !withheldProviders.includes(idpId)
  }

  const defaultOrganizationId = async (): Promise<string> => {
    const instance = (await store.get(instances, instanceId))?.state
    return instance?.status === 'running' ? instance.defaultOrganizationId : instanceId
  }

  const forSignIn = async (organizationId: string): Promise<readonly Document<LivingProvider>[]> =>
    (await rulesOf(organizationId)).login.allowsExternal ? providersForSignIn(store, organizationId, instanceId) : []

  const isOfInstance = (owner: string): boolean => owner === instanceId

  /** Whether people of an organization can sign in with the providers of an owner. */
  const isFor = (owner: string, organizationId: string): boolean => owner === organizationId || isOfInstance(owner)

  return {
    allows,
    isOfInstance,
    isFor,

    /**
     * Where somebody new belongs. People of a provider of the instance come to the first organization, whichever one
     * they visit: nobody chooses to become a member of another.
     */
    homeOf: async (owner: string): Promise<string> => (isOfInstance(owner) ? defaultOrganizationId() : owner),

    offered: async (organizationId: string | undefined): Promise<readonly OfferedProvider[]> =>
      (await forSignIn(organizationId ?? (await defaultOrganizationId()))).map(offer),

    /** What people may link an account at. */
    linkable: async ({ organizationId }: Person): Promise<readonly OfferedProvider[]> =>
      (await forSignIn(organizationId)).filter(({ state }) => state.options.isLinkingAllowed).map(offer),

    /** A person's links, with the provider of each while it is there. */
    async linksOf({ userId }: Person) {
      const { documents } = await listIdentityLinks(store, userId, { limit: MOST_LINKS })
      const providers = new Map(
        await Promise.all(
          [...new Set(documents.map(({ state }) => state.idpId))].map(
            async (id) => [id, await findProvider(store, id)] as const,
          ),
        ),
      )
      return documents.map(({ state, createdAt }) => ({ ...state, createdAt, provider: providers.get(state.idpId) }))
    },

    /** Whether people of an organization can sign in with a provider now. */
    isUsable: async ({ id, owner, state }: Document<LivingProvider>, organizationId: string): Promise<boolean> =>
      state.status === 'active' && isFor(owner, organizationId) && (await allows(organizationId, id)),
  }
}

export type Providers = ReturnType<typeof openProviders>
