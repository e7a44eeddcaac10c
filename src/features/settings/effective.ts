/** The settings that apply to an organization: its own, else those of the instance, else the built-in ones. */

import { DEFAULT_PASSWORD_POLICY, type PasswordPolicy } from '../../crypto/passwords/index.ts'
import { DEFAULT_LANGUAGE, LANGUAGE_TAGS, type Language } from '../../kernel/languages.ts'
import type { App } from '../../module/app.ts'
import { computation, type Document, type Reader } from '../../store/index.ts'
import { isAboveOrganization } from '../memberships/index.ts'
import { BUILT_IN_BRANDING, BUILT_IN_LEGAL, BUILT_IN_PASSWORD_EXPIRY } from './appearance.ts'
import type { Settings } from './decider.ts'
import { settings } from './documents.ts'
import type {
  Generator,
  GeneratorName,
  LegalLinks,
  Lockout,
  LoginSettings,
  Notifications,
  PasswordComplexity,
} from './events.ts'
import { BUILT_IN_LOGIN, shorter, strictestLogin } from './login.ts'
import { withheldOf } from './providers.ts'

/** The maximum number of consecutive wrong secrets that any policy can allow (SP 800-63B-4, 3.2.2). */
export const HARD_CAP_OF_ATTEMPTS = 100

/** The built-in policy: minimum length and a list of common passwords instead of composition rules (SP 800-63B-4). */
export const BUILT_IN_PASSWORD_COMPLEXITY: PasswordComplexity = Object.freeze({
  minLength: DEFAULT_PASSWORD_POLICY.minLength,
  needsUppercase: DEFAULT_PASSWORD_POLICY.needsUppercase,
  needsLowercase: DEFAULT_PASSWORD_POLICY.needsLowercase,
  needsNumber: DEFAULT_PASSWORD_POLICY.needsNumber,
  needsSymbol: DEFAULT_PASSWORD_POLICY.needsSymbol,
})

/** The built-in lockout policy: only the hard cap. */
export const BUILT_IN_LOCKOUT: Lockout = Object.freeze({ maxPasswordAttempts: 0, maxOtpAttempts: 0 })

/** The built-in notices: users are told after a change of their password. */
export const BUILT_IN_NOTIFICATIONS: Notifications = Object.freeze({ passwordChange: true })

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

async function readHolding(instanceId: string, owner: string, reader: Reader) {
  const own = owner === instanceId ? undefined : await reader.get(settings, owner)
  const instance = await reader.get(settings, instanceId)
  const choose = <Value>(pick: (state: Settings) => Value | undefined, builtIn: Value): Holding<Value> => {
    for (const from of [own, instance]) {
      const value = from && pick(from.state)
      if (value !== undefined) return { value, from }
    }
    return { value: builtIn, from: undefined }
  }
  return {
    passwordComplexity: choose(({ passwordComplexity }) => passwordComplexity, BUILT_IN_PASSWORD_COMPLEXITY),
    lockout: choose(({ lockout }) => lockout, BUILT_IN_LOCKOUT),
    login: choose(({ login }) => login, BUILT_IN_LOGIN),
    branding: choose(({ branding }) => branding, BUILT_IN_BRANDING),
    brandingDraft: choose(({ brandingDraft }) => brandingDraft, BUILT_IN_BRANDING),
    legal: choose(({ legal }) => legal, BUILT_IN_LEGAL),
    passwordExpiry: choose(({ passwordExpiry }) => passwordExpiry, BUILT_IN_PASSWORD_EXPIRY),
    withheldProviders: withheldOf(own?.state.providers, instance?.state.providers),
    userNameScope: own?.state.organization?.userNameScope ?? 'instance',
    defaultLanguage: instance?.state.defaultLanguage ?? DEFAULT_LANGUAGE,
    notifications: choose(({ notifications }) => notifications, BUILT_IN_NOTIFICATIONS),
    allowedLanguages: instance?.state.allowedLanguages ?? [],
    instance,
  } as const
}

function attempts(allowed: number): number {
  return Math.min(allowed || HARD_CAP_OF_ATTEMPTS, HARD_CAP_OF_ATTEMPTS)
}

interface SettingsWithRules {
  readonly effective: EffectiveSettings
  /** Whether the organization sets rules for how users sign in. Most set none. */
  readonly hasRules: boolean
}

async function readSettings(reader: Reader, instanceId: string, organizationId: string): Promise<SettingsWithRules> {
  const effective = await readEffective(reader, instanceId, organizationId)
  const state = (await reader.get(settings, organizationId))?.state
  const rules = state?.login ?? state?.lockout ?? state?.passwordComplexity ?? state?.providers ?? state?.passwordExpiry
  return { effective, hasRules: rules !== undefined }
}

const keptSettings = computation({ name: 'settings', compute: readSettings })

/** Kept until they change, except in a work, which has to guard what it reads. */
function settingsOf(app: App, organizationId: string, reader: Reader): Promise<SettingsWithRules> {
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

async function readEffective(reader: Reader, instanceId: string, organizationId: string): Promise<EffectiveSettings> {
  const holding = await readHolding(instanceId, organizationId, reader)
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

/** Whether the settings of a group that apply to an organization are its own, or those of the instance. */
export async function settingsLevel(
  app: App,
  organizationId: string,
  group: 'login' | 'lockout' | 'passwordExpiry',
): Promise<'organization' | 'instance'> {
  const { from } = (await holdingSettings(app, organizationId))[group]
  return from !== undefined && from.id === organizationId && organizationId !== app.instanceId
    ? 'organization'
    : 'instance'
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

/**
 * Whether a user is told of a change of their password. For users with roles on the instance their organization does not
 * decide that.
 */
export async function tellsPasswordChange(
  app: App,
  { userId, organizationId }: SettingsUser,
  reader: Reader = app.store,
): Promise<boolean> {
  const { value, from } = (await holdingSettings(app, organizationId, reader)).notifications
  if (value.passwordChange || from?.id !== organizationId) return value.passwordChange
  if (!(await isAboveOrganization(app, organizationId, userId))) return false
  return (await holdingSettings(app, app.instanceId, reader)).notifications.value.passwordChange
}

/** A user for whom settings are looked up. */
export interface SettingsUser {
  readonly userId: string
  readonly organizationId: string
}

function stricterPasswords(one: PasswordPolicy, other: PasswordPolicy): PasswordPolicy {
  return {
    ...one,
    minLength: Math.max(one.minLength, other.minLength),
    needsUppercase: one.needsUppercase || other.needsUppercase,
    needsLowercase: one.needsLowercase || other.needsLowercase,
    needsNumber: one.needsNumber || other.needsNumber,
    needsSymbol: one.needsSymbol || other.needsSymbol,
  }
}

/**
 * What holds for a user: that of their organization, except for users with roles on the instance. Their organization must not
 * weaken how they sign in, nor lock them out: the rules of the instance are the minimum.
 */
export async function settingsOfUser(
  app: App,
  { userId, organizationId }: SettingsUser,
  reader: Reader = app.store,
): Promise<EffectiveSettings> {
  const { effective: own, hasRules } = await settingsOf(app, organizationId, reader)
  // Without rules there is nothing to compare, and no roles are read.
  if (!hasRules || !(await isAboveOrganization(app, organizationId, userId))) return own
  const instance = await effectiveSettings(app, app.instanceId, reader)
  return {
    ...own,
    passwordPolicy: stricterPasswords(own.passwordPolicy, instance.passwordPolicy),
    passwordMaxAgeMs: shorter(instance.passwordMaxAgeMs, own.passwordMaxAgeMs),
    maxPasswordAttempts: instance.maxPasswordAttempts,
    maxOtpAttempts: instance.maxOtpAttempts,
    login: strictestLogin(instance.login, own.login),
    withheldProviders: instance.withheldProviders,
  }
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
