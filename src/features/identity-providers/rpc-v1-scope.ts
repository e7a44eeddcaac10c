/** The providers that a call of a v1 service can read and change. */

import type { Call } from '../../access/call.ts'
import { reachIn } from '../../access/paths.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document, Page, Query } from '../../store/index.ts'
import type { LivingProvider } from './decider.ts'
import { findProviderOf, identityProviders, type ProviderField } from './documents.ts'
import type { ProviderOwner } from './handlers/change-provider.ts'
import { filterOf, type ProviderQuery } from './queries.ts'
import { identityProviderRefusals } from './refusals.ts'

/** The providers of one v1 service: those of the organization of the call, or of the instance. */
export interface ProviderScope {
  /** The caller and the owner of the providers that it changes. */
  ownerOf(call: Call): ProviderOwner
  /**
   * A provider that the caller may read. An organization can also read those of the instance, which its users can use.
   */
  find(call: Call, id: string): Promise<Document<LivingProvider>>
  list(call: Call, request: ListRequest): Promise<Page<LivingProvider>>
}

interface ListRequest {
  readonly query?: Parameters<typeof pageOf>[0]
  readonly queries: readonly ProviderQuery[]
  readonly orderBy: NonNullable<Query<ProviderField>['orderBy']>
}

/** The scope whose own providers are those of `owner(call)`. */
export function providerScope(app: App, owner: (call: Call) => string): ProviderScope {
  const { store, instanceId } = app
  const seen = (call: Call): readonly string[] => [...new Set([owner(call), instanceId])]
  return {
    ownerOf: (call) => ({
      origin: call.origin,
      owner: owner(call),
      by: reachIn(owner(call), call.caller.grants),
    }),
    async find(call, id) {
      const provider = await findProviderOf(app, id, seen(call))
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
