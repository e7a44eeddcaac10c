/** Settings and texts that another product had, as part of a write. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@bufbuild/protobuf'
import { OWNERS_REACH, type Reach } from '../../../access/paths.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { isSameAsset, requireAsset, storeAsset } from '../../assets/index.ts'
import { requireOrganization } from '../../organizations/index.ts'
import type { MessagesState } from '../decide-messages.ts'
import type { SettingsCommand } from '../decider.ts'
import { settings } from '../documents.ts'
import { holdingSettings } from '../effective.ts'
import type { Branding, BrandingSlot, FeatureFlags, GeneratorName, Notifications } from '../events.ts'
import { checkedTexts, pageLanguage, pageTexts, pageTextsId } from '../page-texts/page-texts.ts'
import { PLAIN, type PlainName, type PlainValue } from '../plain.ts'
import { settingsRefusals } from '../refusals.ts'
import { loginTranslations, translationId } from '../translations.ts'
import { decideSettings } from './change-settings.ts'

/** A look. If it is not active, nobody sees it yet; `draft` is another one that nobody sees yet. Files are there before. */
export type ImportedBranding = Branding & { readonly isActive: boolean; readonly draft?: Branding }

/** A section of settings, in the words of this module. */
export type ImportedSettings = {
  /** How far whoever changed it last reaches; not given: as far as an owner. */
  readonly reach?: Reach
} & (
  | { readonly section: 'language'; readonly values: { readonly defaultLanguage: string } }
  | { [Name in PlainName]: { readonly section: Name; readonly values: Partial<PlainValue<Name>> } }[PlainName]
  | { readonly section: 'branding'; readonly values: ImportedBranding }
  | { readonly section: 'features'; readonly values: FeatureFlags }
  | { readonly section: 'messages'; readonly values: ImportedMessages }
)

/** What is carried together: which notices are sent, in which languages, and how codes look. */
export type ImportedMessages = MessagesState & { readonly notifications?: Notifications }

const SLOTS: readonly BrandingSlot[] = ['logo', 'logoDark', 'icon', 'iconDark', 'font']

/** The commands that make a look the draft, after another one was. */
async function lookCommands(work: Work, look: Branding, before: Branding | undefined): Promise<SettingsCommand[]> {
  const manner = 'put'
  const { assets = {}, ...value } = look
  const commands: SettingsCommand[] = [{ type: 'draft_branding', manner, value }]
  for (const slot of SLOTS) {
    const asset = assets[slot]
    if (asset?.id === before?.assets?.[slot]?.id) continue
    if (asset !== undefined) await requireAsset(work, asset)
    commands.push({ type: 'draft_asset', manner, slot, ...(asset && { asset }) })
  }
  return commands
}

function messageCommands({ notifications, allowedLanguages, generators = {} }: ImportedMessages): SettingsCommand[] {
  const names = Object.keys(generators) as GeneratorName[]
  return [
    ...(notifications ? [{ type: 'set', section: 'notifications', manner: 'put', value: notifications } as const] : []),
    ...(allowedLanguages ? [{ type: 'allow_languages', languages: allowedLanguages } as const] : []),
    ...names.flatMap((name) => {
      const value = generators[name]
      return value === undefined ? [] : [{ type: 'set_generator', name, value } as const]
    }),
  ]
}

async function commandsOf(
  app: App,
  work: Work,
  owner: string,
  given: ImportedSettings,
): Promise<readonly SettingsCommand[]> {
  const manner = 'put'
  switch (given.section) {
    case 'language':
      return [{ type: 'set_default_language', language: given.values.defaultLanguage }]
    case 'branding': {
      const { isActive, draft, ...look } = given.values
      const { branding, brandingDraft } = (await work.get(settings, owner))?.state ?? {}
      const { assets, ...known } = branding ?? {}
      const isSame = isDeepStrictEqual(look.assets === undefined ? known : { ...known, assets }, look)
      // A draft that came after it stays.
      if (isActive && isSame && (draft === undefined || isDeepStrictEqual(brandingDraft, draft))) return []
      if (!isActive && isDeepStrictEqual({ ...brandingDraft, assets: undefined }, { ...look, assets: undefined }))
        return []
      const drafted = await lookCommands(work, look, undefined)
      const further = draft === undefined ? [] : await lookCommands(work, draft, look)
      return isActive ? [...drafted, { type: 'activate_branding', manner }, ...further] : drafted
    }
    case 'features':
      return [{ type: 'set_features', flags: await otherFlags(work, owner, given.values) }]
    case 'messages':
      return messageCommands(given.values)
    default: {
      const { section, values } = given
      if (PLAIN[section].isOfInstance && owner !== app.instanceId) {
        throw refused(settingsRefusals, 'settings.only_instance')
      }
      const { value } = (await holdingSettings(app, owner, work))[section]
      return [{ type: 'set', section, manner, value: { ...value, ...values } } as SettingsCommand]
    }
  }
}

/** The flags that are not as they are given, whatever the order of their members is. */
async function otherFlags(work: Work, owner: string, flags: FeatureFlags): Promise<FeatureFlags> {
  const known: Readonly<Record<string, unknown>> = { ...(await work.get(settings, owner))?.state.features }
  return Object.fromEntries(Object.entries(flags).filter(([name, value]) => !isDeepStrictEqual(known[name], value)))
}

async function requireOwner(app: App, work: Work, owner: string): Promise<void> {
  if (owner !== app.instanceId) await requireOrganization(app, owner, work)
}

/** Sets a section of the instance or of an organization. */
export async function importSettings(app: App, work: Work, owner: string, given: ImportedSettings): Promise<void> {
  await requireOwner(app, work, owner)
  const by = given.reach ?? OWNERS_REACH
  for (const command of await commandsOf(app, work, owner, given)) {
    await decideSettings(work, owner, { ...command, by })
  }
}

/** A section that an organization does not have of its own any more, as part of a write. */
export async function resetImported(work: Work, owner: string, section: PlainName | 'branding'): Promise<void> {
  if ((await work.get(settings, owner)) === undefined) return
  await decideSettings(work, owner, section === 'branding' ? { type: 'reset_branding' } : { type: 'reset', section })
}

/** A file of the look, which becomes part of what applies; without bytes there is none. */
export async function importBrandAsset(
  app: App,
  work: Work,
  { owner, slot, bytes }: { readonly owner: string; readonly slot: BrandingSlot; readonly bytes?: Buffer },
): Promise<void> {
  await requireOwner(app, work, owner)
  const known = (await work.get(settings, owner))?.state.branding?.assets?.[slot]
  const use = slot === 'font' ? 'font' : 'image'
  if (bytes === undefined ? known === undefined : known !== undefined && isSameAsset(known, use, bytes)) return
  const asset = bytes && (await storeAsset(app, work, { use, bytes, owner }))
  await decideSettings(work, owner, { type: 'draft_asset', manner: 'put', slot, ...(asset && { asset }) })
  await decideSettings(work, owner, { type: 'activate_branding', manner: 'put' })
}

/** Custom texts of the hosted pages in one language. */
export async function importPageTexts(
  app: App,
  work: Work,
  owner: string,
  { language: tag, texts: given }: { readonly language: string; readonly texts: Readonly<Record<string, string>> },
): Promise<void> {
  await requireOwner(app, work, owner)
  const language = pageLanguage(tag)
  const texts = checkedTexts(
    Object.entries(given).map(([key, text]) => ({ key, text })),
    'texts',
  )
  await work.decide(pageTexts, pageTextsId(owner, language), { type: 'set', language, texts }, owner)
}

export interface ImportedTranslation {
  readonly language: string
  readonly texts: Readonly<Record<string, string>>
  /** As a login app has set them, instead of the texts. */
  readonly translations?: JsonObject | undefined
}

/** Texts of a login app in one language; the names of groups come first in a key, with dots between. */
export async function importTranslation(
  app: App,
  work: Work,
  owner: string,
  { language, texts, translations: given }: ImportedTranslation,
): Promise<void> {
  await requireOwner(app, work, owner)
  const translations = given ?? nested(Object.entries(texts).map(([key, text]) => [key.split('.'), text]))
  const id = translationId(owner, language)
  const known = (await work.get(loginTranslations, id))?.state
  // Whatever the order of its members is: PostgreSQL changes that.
  if (known?.status === 'set' && isDeepStrictEqual(known.translations, translations)) return
  await work.decide(loginTranslations, id, { type: 'set', translations }, owner)
}

type Entry = readonly [path: readonly string[], text: string]

function nested(entries: readonly Entry[]): JsonObject {
  const groups = Map.groupBy(entries, ([[first = '']]) => first)
  const members = [...groups].map(([name, group]): [string, JsonObject | string] => {
    const leaf = group.find(([path]) => path.length === 1)
    return [name, leaf ? leaf[1] : nested(group.map(([path, text]) => [path.slice(1), text]))]
  })
  // Unlike an assignment, this makes `__proto__` a member like any other.
  return Object.fromEntries(members)
}

/** Texts of a login app that another product does not have any more, as part of a write. */
export async function resetTranslation(work: Work, owner: string, language: string): Promise<void> {
  const id = translationId(owner, language)
  if ((await work.get(loginTranslations, id))?.state.status !== 'set') return
  await work.decide(loginTranslations, id, { type: 'set', translations: {} })
}
