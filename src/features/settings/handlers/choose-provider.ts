/** Adds identity providers to a login policy or removes them, and deletes the choices for removed ones. */
import type { Reach } from '../../../access/paths.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work } from '../../../store/index.ts'
import type { Settings } from '../decider.ts'
import { settings } from '../documents.ts'
import { namedProvider, type ProviderChoices, withheldOf } from '../providers.ts'

export interface ProviderChoice {
  readonly type: 'offer_provider' | 'withhold_provider'
  readonly idpId: string
  /** How far whoever chooses reaches. */
  readonly by: Reach
}

/** Adds a provider to the login policy of an organization or of the instance, or removes it, as part of a write. */
export async function chooseProvider(
  app: App,
  work: Work,
  owner: string,
  { type, idpId, by }: ProviderChoice,
): Promise<Document<Settings>> {
  const above = owner === app.instanceId ? undefined : await work.get(settings, app.instanceId)
  const isWithheldAbove = above?.state.providers?.withheld.includes(idpId) ?? false
  return work.decide(settings, owner, { type, by, idpId, isWithheldAbove }, owner)
}

/** Restores the choices of an owner, whatever the instance has chosen. */
export async function restoreProviderChoices(
  work: Work,
  owner: string,
  { offered, withheld, reach: by }: Pick<ProviderChoices, 'offered' | 'withheld'> & { readonly reach?: Reach },
): Promise<void> {
  for (const idpId of offered) {
    await work.decide(settings, owner, { type: 'offer_provider', by, idpId, isWithheldAbove: true }, owner)
  }
  for (const idpId of withheld) {
    await work.decide(settings, owner, { type: 'withhold_provider', by, idpId, isWithheldAbove: false }, owner)
  }
}

/** Deletes up to `limit` choices for a removed provider, and returns how many it deleted. */
export async function forgetProvider({ store }: App, idpId: string, origin: Origin, limit: number): Promise<number> {
  const where = { field: 'namedProviders', contains: namedProvider(idpId) } as const
  const { documents } = await store.find(settings, { where, orderBy: 'id', limit })
  for (const { id } of documents) {
    await store.write(origin, async (work) => {
      // The organization may have been removed since it was found.
      if ((await work.get(settings, id)) !== undefined) {
        await work.decide(settings, id, { type: 'forget_provider', idpId })
      }
    })
  }
  return documents.length
}

/** Whether a login policy leaves out a provider. */
export async function isWithheld(app: App, work: Work, owner: string, idpId: string): Promise<boolean> {
  const choicesOf = async (id: string) => (await work.get(settings, id))?.state.providers
  const own = await choicesOf(owner)
  return withheldOf(own, owner === app.instanceId ? undefined : await choicesOf(app.instanceId)).includes(idpId)
}
