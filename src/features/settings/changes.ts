/** Changing settings, in whichever service's words it was asked. */
import { refused } from '../../kernel/refusal.ts'
import type { Document, Origin, Store, Work, Written } from '../../store/index.ts'
import { isLivingOrganization, organizationRefusals, organizations, type Sweep } from '../organizations/index.ts'
import type { Manner, Settings, SettingsCommand } from './decider.ts'
import { settings } from './documents.ts'
import { holdingSettings } from './effective.ts'
import type { LoginSettings } from './events.ts'
import type { SettingsNeeds } from './needs.ts'
import { namedProvider } from './providers.ts'

async function requireOrganization(work: Work, id: string): Promise<void> {
  const organization = await work.get(organizations, id)
  if (organization === undefined || !isLivingOrganization(organization.state)) {
    throw refused(organizationRefusals, 'organization.not_found')
  }
}

/** Changes what the instance has set. */
export function changeInstanceSettings(
  { store, instanceId }: SettingsNeeds,
  origin: Origin,
  command: SettingsCommand,
): Promise<Written<Document<Settings>>> {
  return store.write(origin, (work) => work.decide(settings, instanceId, command, instanceId))
}

/** Changes what an organization that exists has set for itself. */
export function changeOrganizationSettings(
  { store }: SettingsNeeds,
  origin: Origin,
  organizationId: string,
  command: SettingsCommand,
): Promise<Written<Document<Settings>>> {
  return store.write(origin, async (work) => {
    await requireOrganization(work, organizationId)
    return work.decide(settings, organizationId, command, organizationId)
  })
}

/** Changes how people sign in on the instance or in an organization. What the draft leaves open stays as it holds. */
export function changeLogin(
  { store, instanceId }: SettingsNeeds,
  origin: Origin,
  owner: string,
  { manner, draft }: { readonly manner: Manner; readonly draft: Partial<LoginSettings> },
): Promise<Written<Document<Settings>>> {
  return store.write(origin, async (work) => {
    if (owner !== instanceId) await requireOrganization(work, owner)
    const { login } = await holdingSettings(work, owner, instanceId)
    return work.decide(settings, owner, { type: 'set_login', manner, value: { ...login.value, ...draft } }, owner)
  })
}

/** Puts a provider on the login policy of an organization or of the instance, or takes it off, as part of a write. */
export async function chooseProviderIn(
  work: Work,
  owner: string,
  instanceId: string,
  { type, idpId }: { readonly type: 'offer_provider' | 'withhold_provider'; readonly idpId: string },
): Promise<Document<Settings>> {
  const above = owner === instanceId ? undefined : await work.get(settings, instanceId)
  const isWithheldAbove = above?.state.providers?.withheld.includes(idpId) ?? false
  return work.decide(settings, owner, { type, idpId, isWithheldAbove }, owner)
}

/** Forgets up to `limit` choices about a provider that is no more; answers how many there were. */
export function forgetProvider(store: Store) {
  return async (idpId: string, origin: Origin, limit: number): Promise<number> => {
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
}

/** Removes the settings of an organization that is no more. */
export function sweepSettings(store: Store): Sweep {
  return async (organizationId, origin) => {
    const { value } = await store.write(origin, async (work) => {
      if ((await work.get(settings, organizationId)) === undefined) return 0
      await work.decide(settings, organizationId, { type: 'remove' })
      return 1
    })
    return value
  }
}
