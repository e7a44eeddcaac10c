/** Removes identity providers: a single one, or those of a removed organization. */
import type { App } from '../../../module/app.ts'
import { removeOnce } from '../../../module/remove-once.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import type { IdentityProvider } from '../decider.ts'
import { findProvider, identityProviders, providerSecrets } from '../documents.ts'
import { PROVIDER_REMOVED } from '../jobs.ts'
import { type ProviderOwner, requireOwn } from './change-provider.ts'

/** Removes the provider and its secret as part of a write. A job then removes the data that modules store for it, in batches. */
export async function removeProviderIn(work: Work, id: string): Promise<Document<IdentityProvider>> {
  const removed = await work.decide(identityProviders, id, { type: 'remove' })
  if ((await work.get(providerSecrets, id)) !== undefined) await work.decide(providerSecrets, id, { type: 'remove' })
  work.enqueue({ kind: PROVIDER_REMOVED, data: { providerId: id } })
  return removed
}

/** Removes a provider, its secret, and all data that modules store for it, unless that was done before. */
export function removeProvider(
  app: App,
  { origin, owner }: ProviderOwner,
  id: string,
): Promise<Document<IdentityProvider>> {
  const findRemoved = async () => {
    const before = await app.store.getRemoved(identityProviders, id)
    return before?.owner === owner ? before : undefined
  }
  return removeOnce(findRemoved, async () => {
    const { value } = await app.store.write(origin, async (work) => {
      await requireOwn(app, work, id, owner)
      return removeProviderIn(work, id)
    })
    return value
  })
}

/** Removes up to `limit` providers of a removed organization, and returns how many it removed. */
export async function removeProvidersOf(
  app: App,
  organizationId: string,
  origin: Origin,
  limit: number,
): Promise<number> {
  const where = { field: 'owner', equals: organizationId } as const
  const { documents } = await app.store.find(identityProviders, { where, orderBy: 'id', limit })
  for (const { id } of documents) {
    await app.store.write(origin, async (work) => {
      if ((await findProvider(app, id, work)) !== undefined) await removeProviderIn(work, id)
    })
  }
  return documents.length
}
