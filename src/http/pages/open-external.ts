/** Signing in with identity providers on the pages, made of what the rooms offer: the way out, and back. */
import { accountKey, IDENTITY_LINK_CLAIM, identityLinks } from '../../features/identity-links/index.ts'
import { findProvider } from '../../features/identity-providers/index.ts'
import { type RetrievedIntent, retrieveIntent, startIntent } from '../../features/sign-in-intents/index.ts'
import type { Clock } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { ExternalPort, ForeignProof } from './external-ports.ts'
import { failureOf } from './failures.ts'
import { knownOf, openJoining } from './open-joining.ts'
import { type ExternalNeeds, offer, openProviders } from './open-providers.ts'

/** Who stands on what happens before anybody is known. */
const VISITOR = 'visitor'

export const openExternal = (needs: ExternalNeeds, clock: Clock): ExternalPort => {
  const { intents } = needs
  const { store } = needs.sessions
  const providers = openProviders(needs)
  const { loginOf, offered, linksOf, isUsable, isFor, isOfInstance, homeOf } = providers

  const retrieve = (proof: ForeignProof): Promise<RetrievedIntent> => retrieveIntent(intents, { ...proof, at: clock() })

  /** Whose the account is now: an answer to the provider is an hour old at most, but links come and go. */
  const linkedUser = async ({ intent: { state } }: RetrievedIntent): Promise<string | undefined> => {
    const linkId = await store.holder(IDENTITY_LINK_CLAIM, accountKey(state.idpId, state.externalUserId))
    const link = linkId === undefined ? undefined : await store.get(identityLinks, linkId)
    return link?.state.status === 'linked' ? link.state.userId : undefined
  }

  return {
    offered,

    async linkedTo(person) {
      if (!(await loginOf(person.organizationId)).allowsExternal) return []
      const usable = (await linksOf(person)).flatMap(({ provider }) =>
        provider !== undefined && isUsable(provider, person.organizationId) ? [provider] : [],
      )
      return [...new Map(usable.map((provider) => [provider.id, offer(provider)])).values()]
    },

    nameOf: async (idpId) => (await findProvider(store, idpId))?.state.name,

    async start({ idpId, organizationId, ...urls }) {
      const owner = (await findProvider(store, idpId))?.owner
      if (owner === undefined) return { outcome: 'refused' }
      const home = await homeOf(owner)
      const visited = isOfInstance(owner) ? (organizationId ?? home) : owner
      if (!(await loginOf(visited)).allowsExternal) return { outcome: 'refused' }
      try {
        const origin = { actor: VISITOR, at: clock() }
        const { authUrl } = await startIntent(intents, origin, { idpId, organizationId: home, ...urls })
        return { outcome: 'started', url: authUrl }
      } catch (error) {
        if (error instanceof Refused && error.code === 'intent.provider_failed') return { outcome: 'unavailable' }
        return { outcome: failureOf(error).outcome === 'busy' ? 'busy' : 'refused' }
      }
    },

    async read(proof, person) {
      try {
        const retrieved = await retrieve(proof)
        const { intent, provider } = retrieved
        const { isLinkingAllowed, isCreationAllowed } = provider.options
        const home = await homeOf(provider.owner)
        const isForPerson = person === undefined || isFor(provider.owner, person.organizationId)
        const allowsExternal = async (id: string) => (await loginOf(id)).allowsExternal
        return {
          outcome: 'read',
          providerName: provider.name,
          accountName: intent.state.externalUserName,
          userId: await linkedUser(retrieved),
          mayLink: isLinkingAllowed && isForPerson && (await allowsExternal(person?.organizationId ?? home)),
          mayRegister: isCreationAllowed && (await allowsExternal(home)),
          known: knownOf(retrieved),
        }
      } catch (error) {
        return failureOf(error)
      }
    },

    ...openJoining(needs, providers, retrieve, clock),
  }
}
