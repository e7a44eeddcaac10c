/** Changes the settings of the instance or of an organization. */

import type { AssetReference } from '../../../kernel/asset-reference.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import { removeAsset } from '../../assets/index.ts'
import { requireOrganization } from '../../organizations/index.ts'
import type { Manner, Settings, SettingsCommand } from '../decider.ts'
import { settings } from '../documents.ts'
import { holdingSettings } from '../effective.ts'
import type { LoginSettings } from '../events.ts'

/** The files that settings refer to, in the look that applies and in the draft. */
function assetsOf(state: Settings | undefined): readonly AssetReference[] {
  return [state?.branding, state?.brandingDraft].flatMap((look) => Object.values(look?.assets ?? {}))
}

/** Decides on the settings of an owner, and removes the files that they no longer refer to. */
export async function decideSettings(work: Work, owner: string, command: SettingsCommand): Promise<Document<Settings>> {
  const before = assetsOf((await work.get(settings, owner))?.state)
  const decided = await work.decide(settings, owner, command, owner)
  const kept = new Set(decided.state.isRemoved ? [] : assetsOf(decided.state).map(({ id }) => id))
  const unused = new Map(before.filter(({ id }) => !kept.has(id)).map((asset) => [asset.id, asset]))
  for (const asset of unused.values()) await removeAsset(work, asset)
  return decided
}

/** Changes the settings of the instance. */
export function changeInstanceSettings(
  { store, instanceId }: App,
  origin: Origin,
  command: SettingsCommand,
): Promise<Written<Document<Settings>>> {
  return store.write(origin, (work) => decideSettings(work, instanceId, command))
}

/** Changes the settings of an existing organization. */
export function changeOrganizationSettings(
  app: App,
  origin: Origin,
  organizationId: string,
  command: SettingsCommand,
): Promise<Written<Document<Settings>>> {
  return app.store.write(origin, async (work) => {
    await requireOrganization(app, organizationId, work)
    return decideSettings(work, organizationId, command)
  })
}

/** Has new user names of an organization be unique in it alone, or not, as part of a write. */
export async function importNameScope(work: Work, organizationId: string, isScoped = true): Promise<void> {
  const before = (await work.get(settings, organizationId))?.state.organization
  if ((before?.userNameScope === 'organization') === isScoped) return
  const command = { type: 'set_organization', organizationScopedUserNames: isScoped, at: work.origin.at } as const
  await decideSettings(work, organizationId, command)
}

/** Changes the login policy of the instance or of an organization. Fields that are not given do not change. */
export function changeLogin(
  app: App,
  origin: Origin,
  owner: string,
  { manner, draft }: { readonly manner: Manner; readonly draft: Partial<LoginSettings> },
): Promise<Written<Document<Settings>>> {
  return app.store.write(origin, async (work) => {
    if (owner !== app.instanceId) await requireOrganization(app, owner, work)
    const { login } = await holdingSettings(app, owner, work)
    return work.decide(settings, owner, { type: 'set_login', manner, value: { ...login.value, ...draft } }, owner)
  })
}

/** Removes the settings of a removed organization, and returns the number of documents. */
export async function removeSettingsOf({ store }: App, organizationId: string, origin: Origin): Promise<number> {
  const { value } = await store.write(origin, async (work) => {
    if ((await work.get(settings, organizationId)) === undefined) return 0
    await decideSettings(work, organizationId, { type: 'remove' })
    return 1
  })
  return value
}
