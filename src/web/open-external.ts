/** Signing in with identity providers on the pages, made of what the rooms offer: the way out, and back. */
import { accountKey, IDENTITY_LINK_CLAIM, identityLinks } from '../features/identity-links/index.ts'
import { findProvider } from '../features/identity-providers/index.ts'
import { type RetrievedIntent, retrieveIntent, startIntent } from '../features/sign-in-intents/index.ts'
import type { Clock } from '../kernel/instant.ts'
import { Refused } from '../kernel/refusal.ts'
import type { ExternalPort, ForeignProof } from './external-ports.ts'
import { failureOf } from './failures.ts'
import { knownOf, openJoining } from './open-joining.ts'
import { type ExternalNeeds, offer, openProviders } from './open-providers.ts'

/** Who stands on what happens before anybody is known. */
const VISITOR = 'visitor'

export function openExternal(needs: ExternalNeeds, clock: Clock): ExternalPort {
  const { intents } = needs
  const { store } = needs.sessions
  const providers = openProviders(needs)
  const { allows, offered, linksOf, isUsable, isFor, isOfInstance, homeOf } = providers

  const retrieve = (proof: ForeignProof): Promise<RetrievedIntent> => retrieveIntent(intents, { ...proof, at: clock() })

  /** Whose the account is now: an answer to the provider is an hour old at most, but links come and go. */
  const linkedUser = async ({ intent: { state } }: RetrievedIntent): Promise<string | undefined> => {
    const linkId = await store.findClaimHolder(IDENTITY_LINK_CLAIM, accountKey(state.idpId, state.externalUserId))
    const link = linkId === undefined ? undefined : await store.get(identityLinks, linkId)
    return link?.state.status === 'linked' ? link.state.userId : undefined
  }

  return {
    offered,

    async linkedTo(person) {
      const linked = new Map((await linksOf(person)).map(({ idpId, provider }) => [idpId, provider]))
      const usable = [...linked.values()].map(async (provider) =>
        provider !== undefined && (await isUsable(provider, person.organizationId)) ? [offer(provider)] : [],
      )
      return (await Promise.all(usable)).flat()
    },

    nameOf: async (idpId) => (await findProvider(store, idpId))?.state.name,

    async start({ idpId, organizationId, ...urls }) {
      const owner = (await findProvider(store, idpId))?.owner
      if (owner === undefined) return { outcome: 'refused' }
      const home = await homeOf(owner)
      const visited = isOfInstance(owner) ? (organizationId ?? home) : owner
      if (!(await allows(visited, idpId))) return { outcome: 'refused' }
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
        return {
          outcome: 'read',
          providerName: provider.name,
          accountName: intent.state.externalUserName,
          userId: await linkedUser(retrieved),
          mayLink: isLinkingAllowed && isForPerson && (await allows(person?.organizationId ?? home, provider.id)),
          mayRegister: isCreationAllowed && (await allows(home, provider.id)),
          known: knownOf(retrieved),
        }
      } catch (error) {
        return failureOf(error)
      }
    },

    ...openJoining(needs, providers, retrieve, clock),
  }
}
