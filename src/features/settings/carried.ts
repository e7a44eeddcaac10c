/**
 * How settings are carried: the sections of one document as objects of their own. Plain sections are what they are; the others
 * are told here, and one that is not does not compile.
 */
import { isDeepStrictEqual } from 'node:util'
import { OWNERS_REACH, type Reach } from '../../access/paths.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import { requireAsset } from '../assets/index.ts'
import { requireOrganization } from '../organizations/index.ts'
import type { Settings, SettingsCommand } from './decider.ts'
import { settings } from './documents.ts'
import { holdingSettings } from './effective.ts'
import { decideSettings } from './handlers/change-settings.ts'
import { PLAIN_NAMES, type PlainName, type PlainValue } from './plain.ts'
import { settingsRefusals } from './refusals.ts'
import { type Above, type PathSection, SECTIONS } from './sections.ts'
import type { Branding, BrandingSlot, FeatureFlags, Generator, GeneratorName } from './values.ts'

type Name = keyof typeof SECTIONS

/** A look. If it is not active, nobody sees it yet; `draft` is another one that nobody sees yet. Files are there before. */
export type ImportedBranding = Branding & { readonly isActive: boolean; readonly draft?: Branding }

/** Which notices are sent, in which languages, and how codes look. */
export type ImportedMessages = Pick<Settings, 'notifications' | 'allowedLanguages' | 'generators'>

/** Sections that are carried as one, or not as they are stored. */
interface Group<Values> {
  readonly of: readonly Name[]
  describe(state: Settings): Values | undefined
  /** What makes an owner have it; nothing where nothing differs. */
  commands(values: Values, before: Settings | undefined, work: Work): Promise<readonly SettingsCommand[]>
}

const group =
  <Values>() =>
  <const Of extends readonly Name[]>(one: Group<Values> & { readonly of: Of }) =>
    one

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

const GROUPS = {
  language: group<{ readonly defaultLanguage: string }>()({
    of: ['defaultLanguage'],
    describe: ({ defaultLanguage }) => (defaultLanguage === undefined ? undefined : { defaultLanguage }),
    commands: async ({ defaultLanguage: language }) => [{ type: 'set_default_language', language }],
  }),
  features: group<FeatureFlags>()({
    of: ['features'],
    describe: ({ features }) => features,
    async commands(flags, before) {
      // Whatever the order of their members is.
      const known: Readonly<Record<string, unknown>> = { ...before?.features }
      const others = Object.entries(flags).filter(([name, value]) => !isDeepStrictEqual(known[name], value))
      return [{ type: 'set_features', flags: Object.fromEntries(others) }]
    },
  }),
  messages: group<ImportedMessages>()({
    of: ['notifications', 'allowedLanguages', 'generators'],
    describe({ notifications, allowedLanguages, generators }) {
      const values = {
        ...(notifications && { notifications }),
        ...(allowedLanguages && { allowedLanguages }),
        ...(generators && { generators }),
      }
      return Object.keys(values).length === 0 ? undefined : values
    },
    async commands({ notifications: value, allowedLanguages: languages, generators = {} }) {
      const given = Object.entries(generators) as [GeneratorName, Generator][]
      return [
        ...(value ? [{ type: 'set', section: 'notifications', manner: 'put', value } as const] : []),
        ...(languages ? [{ type: 'allow_languages', languages } as const] : []),
        ...given.map(([name, generator]) => ({ type: 'set_generator', name, value: generator }) as const),
      ]
    },
  }),
  branding: group<ImportedBranding>()({
    of: ['branding', 'brandingDraft'],
    describe({ branding, brandingDraft }) {
      const look = branding ?? brandingDraft
      if (look === undefined) return undefined
      const isActive = branding !== undefined
      return { ...look, isActive, ...(isActive && brandingDraft && { draft: brandingDraft }) }
    },
    async commands({ isActive, draft, ...look }, { branding, brandingDraft } = { isRemoved: false }, work) {
      const { assets, ...known } = branding ?? {}
      const isSame = isDeepStrictEqual(look.assets === undefined ? known : { ...known, assets }, look)
      // A draft that came after it stays.
      if (isActive && isSame && (draft === undefined || isDeepStrictEqual(brandingDraft, draft))) return []
      if (!isActive && isDeepStrictEqual({ ...brandingDraft, assets: undefined }, { ...look, assets: undefined }))
        return []
      const drafted = await lookCommands(work, look, undefined)
      const further = draft === undefined ? [] : await lookCommands(work, draft, look)
      return isActive ? [...drafted, { type: 'activate_branding', manner: 'put' }, ...further] : drafted
    },
  }),
}

type Groups = typeof GROUPS
type GroupName = keyof Groups
type Grouped = Groups[GroupName]['of'][number]

/** Sections that other objects carry: the choices of providers, which must be there before, and organizations. */
const ELSEWHERE = ['providers', 'organization'] as const satisfies readonly Name[]

/** A section that nobody carries does not compile. */
true satisfies Exclude<Name, PlainName | Grouped | (typeof ELSEWHERE)[number]> extends never ? true : never

/** The sections that are one value, carried as it is. */
type OwnName = Exclude<PlainName, Grouped>

const OWN_NAMES = PLAIN_NAMES.filter(
  (name): name is OwnName => !Object.values(GROUPS).some(({ of }) => (of as readonly Name[]).includes(name)),
)

/** The values of each section, in the words of this module. What is missing in plain ones stays as it is. */
export type CarriedSections = { readonly [Section in OwnName]: Partial<PlainValue<Section>> } & {
  readonly [Section in GroupName]: NonNullable<ReturnType<Groups[Section]['describe']>>
}

/** Sections that an organization can have of its own, or not. */
export type ResettableSection = Exclude<OwnName, OfInstance> | 'branding'
type OfInstance = {
  [Section in Name]: (typeof SECTIONS)[Section]['above']['decides'] extends 'instance alone' ? Section : never
}[Name]

/** A section, and how far whoever changed it last reaches; not given: as far as an owner. */
export type ImportedSettings = {
  readonly [Section in keyof CarriedSections]: {
    readonly section: Section
    readonly values: CarriedSections[Section]
    readonly reach?: Reach | undefined
  }
}[keyof CarriedSections]

function sectionsIn(section: keyof CarriedSections): readonly Name[] {
  return section in GROUPS ? GROUPS[section as GroupName].of : [section as OwnName]
}

/** What an owner has set, in the order in which it is written again. */
export function describeSettings(state: Settings): readonly ImportedSettings[] {
  const { language, ...others } = GROUPS
  const described: readonly (readonly [string, unknown])[] = [
    ['language', language.describe(state)],
    ...OWN_NAMES.map((name) => [name, state[name]] as const),
    ...Object.entries(others).map(([name, { describe }]) => [name, describe(state)] as const),
  ]
  return described.flatMap(([section, values]) => {
    if (values === undefined) return []
    const one = { section, values } as ImportedSettings
    const reach = sectionsIn(one.section).map((name) => state.reach?.[name as PathSection])
    const found = reach.find((each) => each !== undefined)
    return [found === undefined ? one : { ...one, reach: found }]
  })
}

async function commandsOf(app: App, work: Work, owner: string, { section, values }: ImportedSettings) {
  if (section in GROUPS) {
    const { commands } = GROUPS[section as GroupName] as Group<never>
    return commands(values as never, (await work.get(settings, owner))?.state, work)
  }
  const { value } = (await holdingSettings(app, owner, work))[section as OwnName]
  return [{ type: 'set', section, manner: 'put', value: { ...value, ...values } } as SettingsCommand]
}

/** Sets a section of the instance or of an organization, as part of a write. */
export async function importSettings(app: App, work: Work, owner: string, given: ImportedSettings): Promise<void> {
  const { section, values, reach: by = OWNERS_REACH } = given
  if (owner !== app.instanceId) {
    await requireOrganization(app, owner, work)
    const set = sectionsIn(section).filter((name) => name === section || name in values)
    if (set.some((name) => (SECTIONS[name].above as Above).decides === 'instance alone')) {
      throw refused(settingsRefusals, 'settings.only_instance')
    }
  }
  for (const command of await commandsOf(app, work, owner, given)) {
    await decideSettings(work, owner, { ...command, by })
  }
}

/** A section that an organization does not have of its own any more, as part of a write. */
export async function resetImported(work: Work, owner: string, section: ResettableSection): Promise<void> {
  if ((await work.get(settings, owner)) === undefined) return
  await decideSettings(work, owner, section === 'branding' ? { type: 'reset_branding' } : { type: 'reset', section })
}
