/** Changes the settings of the instance or of an organization. */

import type { Call } from '../../../access/call.ts'
import { reachIn } from '../../../access/paths.ts'
import type { AssetReference } from '../../../kernel/asset-reference.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Work, Written } from '../../../store/index.ts'
import { removeAsset } from '../../assets/index.ts'
import { requireOrganization } from '../../organizations/index.ts'
import type { Manner, Settings, SettingsCommand } from '../decider.ts'
import { settings } from '../documents.ts'
import { holdingSettings } from '../effective.ts'
import { plainProblems } from '../plain.ts'
import { settingsRefusals } from '../refusals.ts'
import type { LoginSettings } from '../values.ts'

/** The files that settings refer to, in the look that applies and in the draft. */
function assetsOf(state: Settings | undefined): readonly AssetReference[] {
  return [state?.branding, state?.brandingDraft].flatMap((look) => Object.values(look?.assets ?? {}))
}

/** Names the members of a value that are wrong; the rule itself is the decider's. */
function checkValue(command: SettingsCommand): void {
  if (command.type !== 'set') return
  const { section } = command
  const violations = plainProblems(section, command.value).map(({ field, description }) => ({
    field: `${section}.${field}`,
    description,
  }))
  if (violations.length > 0) throw refused(settingsRefusals, 'settings.value_invalid', { violations })
}

/** Decides on the settings of an owner, and removes the files that they no longer refer to. */
export async function decideSettings(work: Work, owner: string, command: SettingsCommand): Promise<Document<Settings>> {
  checkValue(command)
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
  { origin, caller }: Pick<Call, 'origin' | 'caller'>,
  organizationId: string,
  command: SettingsCommand,
): Promise<Written<Document<Settings>>> {
  return app.store.write(origin, async (work) => {
    await requireOrganization(app, organizationId, work)
    return decideSettings(work, organizationId, { ...command, by: reachIn(organizationId, caller.grants) })
  })
}

/** Where the user names of a new organization are unique, and since when that is set, if that is known. */
export interface ImportedNameScope {
  readonly isScoped: boolean
  readonly createdAt?: Instant
  readonly changedAt?: Instant
}

/** Sets where new user names of an organization are unique, as part of a write. */
export async function importNameScope(
  work: Work,
  organizationId: string,
  { isScoped, createdAt, changedAt = createdAt }: ImportedNameScope,
): Promise<void> {
  const before = (await work.get(settings, organizationId))?.state.organization
  const isKnown = createdAt === undefined || before !== undefined
  if (isKnown && (before?.userNameScope === 'organization') === isScoped) return
  const type = 'set_organization'
  const set = (organizationScopedUserNames: boolean, at: Instant) =>
    decideSettings(work, organizationId, { type, organizationScopedUserNames, at })
  // The first time it was set to what it no longer is.
  if (createdAt !== undefined && changedAt !== createdAt) await set(!isScoped, createdAt)
  await set(isScoped, changedAt ?? work.origin.at)
}

interface LoginChange {
  readonly manner: Manner
  readonly draft: Partial<LoginSettings>
  /** What else the commit does. */
  also?(work: Work): Promise<void>
}

/** Changes the login policy of the instance or of an organization. Fields that are not given do not change. */
export function changeLogin(
  app: App,
  { origin, caller }: Pick<Call, 'origin' | 'caller'>,
  owner: string,
  { manner, draft, also }: LoginChange,
): Promise<Written<Document<Settings>>> {
  return app.store.write(origin, async (work) => {
    if (owner !== app.instanceId) await requireOrganization(app, owner, work)
    const { login } = await holdingSettings(app, owner, work)
    const by = reachIn(owner, caller.grants)
    const value = { ...login.value, ...draft }
    await decideSettings(work, owner, { type: 'set', section: 'login', by, manner, value })
    await also?.(work)
    return (await work.get(settings, owner)) as Document<Settings>
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
