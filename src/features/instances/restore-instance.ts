/** An empty database becomes the instance of an export. */
import type { Instant } from '../../kernel/instant.ts'
import { OBJECT_IMPORTED, type Store } from '../../store/index.ts'
import type { Instance } from './decider.ts'
import { findInstance, instances } from './documents.ts'

/** What an instance is besides the objects in it. */
export interface RestoredInstance extends Omit<Extract<Instance, { readonly status: 'running' }>, 'status'> {
  readonly id: string
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** Whether nobody has used an instance since it came here: its import was interrupted, or is run again. */
async function isFresh(store: Store, id: string): Promise<boolean> {
  const [arrived] = await store.events({ kinds: [instances.name], id, types: [OBJECT_IMPORTED], limit: 1 })
  const [session] = await store.events({ kinds: ['session'], limit: 1 })
  return arrived !== undefined && session === undefined
}

/** Creates the instance under its ID, or finds it; `other` when the database has another one, `used` when people use it. */
export async function restoreInstance(
  store: Store,
  source: string,
  { id, createdAt, changedAt, api, ...instance }: RestoredInstance,
  at: Instant,
): Promise<'restored' | 'other' | 'used'> {
  const found = await findInstance(store)
  if (found !== undefined && found.id !== id) return 'other'
  if (found !== undefined) return (await isFresh(store, id)) ? 'restored' : 'used'
  const arrival = { source, datesOf: () => ({ createdAt, changedAt }) }
  await store.write({ actor: 'server', at, arrival }, async (work) => {
    await work.decide(instances, id, { type: 'create', ...instance }, id)
    if (api !== undefined) await work.decide(instances, id, { type: 'set_api_project', ...api })
  })
  return 'restored'
}
