/** Whose providers a call of a v1 service is about, and which of them it may see. */
import type { Call } from '../../access/call.ts'
import { pageOf } from '../../access/paging.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Page, Query } from '../../store/index.ts'
import type { Asked } from './changes.ts'
import type { LivingProvider } from './decider.ts'
import { findProviderOf, identityProviders, type ProviderField } from './documents.ts'
import type { IdentityProvidersNeeds } from './needs.ts'
import { filterOf, type ProviderQuery } from './queries.ts'
import { identityProviderRefusals } from './refusals.ts'

/** One side of the v1 services: the management of an organization, or the administration of the instance. */
export interface Side {
  ask(call: Call): Asked
  /** A provider that the side may see; an organization also sees the instance's, which its people can use. */
  find(call: Call, id: string): Promise<Document<LivingProvider>>
  list(call: Call, request: ListRequest): Promise<Page<LivingProvider>>
}

interface ListRequest {
  readonly query?: Parameters<typeof pageOf>[0]
  readonly queries: readonly ProviderQuery[]
  readonly orderBy: NonNullable<Query<ProviderField>['orderBy']>
}

/** The side whose own providers are those of `ownerOf(call)`. */
export function openSide({ store, instanceId }: IdentityProvidersNeeds, ownerOf: (call: Call) => string): Side {
  const seen = (call: Call): readonly string[] => [...new Set([ownerOf(call), instanceId])]
  return {
    ask: (call) => ({ origin: call.origin, owner: ownerOf(call) }),
    async find(call, id) {
      const provider = await findProviderOf(store, id, seen(call))
      if (provider === undefined) throw refused(identityProviderRefusals, 'identity_provider.not_found')
      return provider
    },
    async list(call, { query, queries, orderBy }) {
      const where = {
        all: [{ field: 'owner', in: seen(call) } as const, ...queries.map((one) => filterOf(one, instanceId))],
      }
      const page = await store.find(identityProviders, { where, orderBy, ...pageOf(query, 'query') })
      return page as Page<LivingProvider>
    },
  }
}
