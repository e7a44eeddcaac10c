/** The settings that apply to an organization: its own, else those of the instance, else the built-in ones. */

import type { Reach } from '../../access/paths.ts'
import { DEFAULT_PASSWORD_POLICY, type PasswordPolicy } from '../../crypto/passwords/index.ts'
import { DEFAULT_LANGUAGE, LANGUAGE_TAGS, type Language } from '../../kernel/languages.ts'
import type { App } from '../../module/app.ts'
import { computation, type Document, type Reader } from '../../store/index.ts'
import { mayUsePath } from '../memberships/index.ts'
import { BUILT_IN_BRANDING } from './appearance.ts'
import type { Settings } from './decider.ts'
import { settings } from './documents.ts'
import { PLAIN_NAMES, type PlainName, type PlainValue } from './plain.ts'
import { withheldOf } from './providers.ts'
import { type PathSection, pathsOf, SECTIONS } from './sections.ts'
import type { Generator, GeneratorName, LegalLinks, LoginSettings } from './values.ts'

/** The maximum number of consecutive wrong secrets that any policy can allow (SP 800-63B-4, 3.2.2). */
const HARD_CAP_OF_ATTEMPTS = 100

const DAY_MS = 86_400_000

/** A setting that applies, and its document; no document for a built-in one. */
export interface Holding<Value> {
  readonly value: Value
  readonly from: Document<Settings> | undefined
}

/** The settings that apply, for other modules. */
export interface EffectiveSettings {
  /** In the form that `checkPassword` takes. */
  readonly passwordPolicy: PasswordPolicy
  /** How old a password may be before it must be changed; 0: as old as it gets. */
  readonly passwordMaxAgeMs: number
  /** Number of consecutive wrong secrets after which passwords are refused; never more than the hard cap. */
  readonly maxPasswordAttempts: number
  /** As above, for one-time codes. */
  readonly maxOtpAttempts: number
  /** How users can sign in. */
  readonly login: LoginSettings
  /**
   * The identity providers that are not offered, because they were removed from the policy of the organization or of
   * the instance.
   */
  readonly withheldProviders: readonly string[]
  /** Where a new username must be unique. Existing names keep their scope. */
  readonly userNameScope: 'instance' | 'organization'
  /** One of the supported languages. */
  readonly defaultLanguage: string
}

/** The settings that apply to an organization or to the instance itself, with their documents. */
export function holdingSettings(app: App, owner: string, reader: Reader = app.store) {
  return readHolding(app.instanceId, owner, reader)
}

/** The sections of an organization that do not count for a user, because the user is outside their reach. */
type Skipped = ReadonlySet<string>

const NOTHING: Skipped = new Set()

type HoldingPlain = { readonly [Name in PlainName]: Holding<PlainValue<Name>> }

/** The settings of an organization without what does not count: nothing else is asked about them afterwards. */
function counting(own: Document<Settings> | undefined, skipped: Skipped): Document<Settings> | undefined {
  if (own === undefined || skipped.size === 0) return own
  const state = Object.fromEntries(Object.entries(own.state).filter(([section]) => !skipped.has(section)))
  return { ...own, state: state as unknown as Settings }
}

async function readHolding(instanceId: string, owner: string, reader: Reader, skipped = NOTHING) {
  const own = owner === instanceId ? undefined : counting(await reader.get(settings, owner), skipped)
  const instance = await reader.get(settings, instanceId)
  const choose = <Name extends keyof Settings>(
    section: Name,
    builtIn: NonNullable<Settings[Name]>,
  ): Holding<NonNullable<Settings[Name]>> => {
    for (const from of [own, instance]) {
      const value = from?.state[section]
      if (value != null) return { value, from }
    }
    return { value: builtIn, from: undefined }
  }
  const plain = Object.fromEntries(PLAIN_NAMES.map((name) => [name, choose(name, SECTIONS[name].builtIn)]))
  return {
    ...(plain as HoldingPlain),
    branding: choose('branding', BUILT_IN_BRANDING),
    brandingDraft: choose('brandingDraft', BUILT_IN_BRANDING),
    withheldProviders: withheldOf(own?.state.providers, instance?.state.providers),
    userNameScope: own?.state.organization?.userNameScope ?? 'instance',
    defaultLanguage: instance?.state.defaultLanguage ?? DEFAULT_LANGUAGE,
    allowedLanguages: instance?.state.allowedLanguages ?? [],
    instance,
  } as const
}

function attempts(allowed: number): number {
  return Math.min(allowed || HARD_CAP_OF_ATTEMPTS, HARD_CAP_OF_ATTEMPTS)
}

interface SettingsWithPaths {
  readonly effective: EffectiveSettings
  /** What the organization sets for how its users sign in. Most set nothing. */
  readonly paths: readonly SetPath[]
}

interface SetPath {
  readonly section: PathSection
  readonly reach: Reach | undefined
}

async function readSettings(reader: Reader, instanceId: string, organizationId: string): Promise<SettingsWithPaths> {
  const effective = await readEffective(reader, instanceId, organizationId)
  const state = (await reader.get(settings, organizationId))?.state
  const set = state === undefined ? [] : pathsOf(state)
  return { effective, paths: set.map((section) => ({ section, reach: state?.reach?.[section] })) }
}

const keptSettings = computation({ name: 'settings', compute: readSettings })

/** Kept until they change, except in a work, which has to guard what it reads. */
function settingsOf(app: App, organizationId: string, reader: Reader): Promise<SettingsWithPaths> {
  if (reader !== app.store) return readSettings(reader, app.instanceId, organizationId)
  return app.store.computed(keptSettings, app.instanceId, organizationId)
}

/**
 * The settings that apply to an organization. Inside a work, the settings of the organization and of the instance are
 * guarded.
 */
export async function effectiveSettings(
  app: App,
  organizationId: string,
  reader: Reader = app.store,
): Promise<EffectiveSettings> {
  return (await settingsOf(app, organizationId, reader)).effective
}

async function readEffective(
  reader: Reader,
  instanceId: string,
  organizationId: string,
  skipped = NOTHING,
): Promise<EffectiveSettings> {
  const holding = await readHolding(instanceId, organizationId, reader, skipped)
  const { passwordComplexity, lockout, login, withheldProviders, userNameScope, defaultLanguage } = holding
  const { maxAgeDays } = holding.passwordExpiry.value
  return {
    passwordPolicy: { ...DEFAULT_PASSWORD_POLICY, ...passwordComplexity.value },
    passwordMaxAgeMs: maxAgeDays * DAY_MS,
    maxPasswordAttempts: attempts(lockout.value.maxPasswordAttempts),
    maxOtpAttempts: attempts(lockout.value.maxOtpAttempts),
    login: login.value,
    withheldProviders,
    userNameScope,
    defaultLanguage,
  }
}

/** Whether the settings of a section that apply to a user come from their organization or from the instance. */
export async function settingsLevel(
  app: App,
  user: SettingsUser,
  section: 'login' | 'lockout' | 'passwordExpiry',
): Promise<'organization' | 'instance'> {
  const { from } = (await holdingOfUser(app, user))[section]
  return from !== undefined && from.id !== app.instanceId ? 'organization' : 'instance'
}

/** The links that pages of an organization show. */
export async function legalLinks(app: App, organizationId: string): Promise<LegalLinks> {
  return (await holdingSettings(app, organizationId)).legal.value
}

/** The languages that users can choose, the default one first. */
export async function allowedLanguages(app: App): Promise<readonly Language[]> {
  const { allowedLanguages: allowed, defaultLanguage } = await holdingSettings(app, app.instanceId)
  const found = LANGUAGE_TAGS.filter((tag) => allowed.length === 0 || allowed.includes(tag))
  return found.toSorted((one, other) => Number(other === defaultLanguage) - Number(one === defaultLanguage))
}

/** A user for whom settings are looked up. */
export interface SettingsUser {
  readonly userId: string
  readonly organizationId: string
}

/** The sections of their organization that do not count for a user, because they hold more than who changed them last. */
async function skippedFor(app: App, { userId, organizationId }: SettingsUser, reader: Reader): Promise<Skipped> {
  const { paths } = await settingsOf(app, organizationId, reader)
  if (paths.length === 0) return NOTHING
  const counts = await Promise.all(paths.map(({ reach }) => mayUsePath(app, { owner: organizationId, reach }, userId)))
  return new Set(paths.flatMap(({ section }, index) => (counts[index] === true ? [] : [section])))
}

/** The settings that apply to a user, with their documents: the organization's, except for what does not count. */
export async function holdingOfUser(app: App, user: SettingsUser, reader: Reader = app.store) {
  return readHolding(app.instanceId, user.organizationId, reader, await skippedFor(app, user, reader))
}

/**
 * What applies to a user: the settings of their organization, except for sections that somebody changed who does not cover
 * them. There the settings of the instance count as a whole: the stricter of two would let an organization lock them out.
 */
export async function settingsOfUser(
  app: App,
  user: SettingsUser,
  reader: Reader = app.store,
): Promise<EffectiveSettings> {
  const { organizationId } = user
  const skipped = await skippedFor(app, user, reader)
  if (skipped.size === 0) return effectiveSettings(app, organizationId, reader)
  return readEffective(reader, app.instanceId, organizationId, skipped)
}

/** Whether a user gets a mail when their password changes. */
export async function tellsPasswordChange(app: App, user: SettingsUser, reader: Reader = app.store): Promise<boolean> {
  return (await holdingOfUser(app, user, reader)).notifications.value.passwordChange
}

/** How codes of a kind are made now; `otherwise` counts when the first one is not set. */
export async function generatorOf(
  { instanceId, store }: App,
  name: GeneratorName,
  { reader = store, otherwise }: { readonly reader?: Reader; readonly otherwise?: GeneratorName } = {},
): Promise<Generator | undefined> {
  const set = (await reader.get(settings, instanceId))?.state.generators
  return set?.[name] ?? (otherwise && set?.[otherwise])
}
