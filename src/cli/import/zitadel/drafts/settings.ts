/** The settings of the instance and of organizations as drafts. */
import type { FeatureFlags, LoginSettings, ResettableSection } from '../../../../features/settings/index.ts'
import type { Instant } from '../../../../kernel/instant.ts'
import type { SettingsDraft, SettingsValues } from '../../draft.ts'
import type { Dated } from '../fold.ts'
import { type FeatureState, features } from '../folds/instance.ts'
import { instanceLevel, type Label, type LevelState, organizationLevel, type PolicyValues } from '../folds/policies.ts'
import { folded, type Item, type Reading, remark, removed } from '../reading.ts'

interface Dates {
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** A section of one owner; `organizationId` is empty for the instance. */
export function section<Name extends keyof SettingsValues>(
  name: Name,
  organizationId: string,
  { createdAt, changedAt }: Dates,
  values: SettingsValues[Name],
  id: string = name,
): SettingsDraft {
  // The compiler does not follow that name and values belong together.
  return { kind: 'settings', id, organizationId, createdAt, changedAt, section: name, values } as SettingsDraft
}

const SECOND_FACTORS = [undefined, 'totp', 'u2f', 'otp_email', 'otp_sms', 'recovery_code'] as const
const MULTI_FACTORS = [undefined, 'u2f_with_verification'] as const

function listed<Name>(names: readonly (Name | undefined)[], numbers: ReadonlySet<number>): Name[] {
  return names.filter((name, number): name is Name => name !== undefined && numbers.has(number))
}

function loginValues(login: PolicyValues<'login'>, level: LevelState): Partial<LoginSettings> {
  return {
    allowsPassword: login.allowUsernamePassword ?? false,
    allowsPasskeys: login.passwordlessType === 1,
    allowsExternal: login.allowExternalIdp ?? false,
    allowsRegistration: login.allowRegister ?? false,
    allowsEmailLogin: !login.disableLoginWithEmail,
    allowsPhoneLogin: !login.disableLoginWithPhone,
    allowsDomainDiscovery: login.allowDomainDiscovery ?? false,
    ignoresUnknownUserNames: login.ignoreUnknownUsernames ?? false,
    setUpSkipMs: login.mfaInitSkipLifetime ?? 0,
    requiresSecondFactor: login.forceMFA ?? false,
    requiresSecondFactorLocalOnly: login.forceMFALocalOnly ?? false,
    hidesPasswordReset: login.hidePasswordReset ?? false,
    defaultRedirectUri: login.defaultRedirectURI ?? '',
    passwordLifetimeMs: login.passwordCheckLifetime ?? 0,
    externalLifetimeMs: login.externalLoginCheckLifetime ?? 0,
    secondFactorLifetimeMs: login.secondFactorCheckLifetime ?? 0,
    multiFactorLifetimeMs: login.multiFactorCheckLifetime ?? 0,
    secondFactors: listed(SECOND_FACTORS, level.secondFactors),
    multiFactors: listed(MULTI_FACTORS, level.multiFactors),
  }
}

function* passwordSections(owner: string, { policies }: LevelState, { world }: Reading): Generator<Item> {
  const about = owner || world.instance.id
  const { 'password.complexity': complexity, 'password.age': age, lockout } = policies
  if (complexity) {
    const {
      minLength = 0,
      hasUppercase = false,
      hasLowercase = false,
      hasNumber = false,
      hasSymbol = false,
    } = complexity.value
    const needs = { needsUppercase: hasUppercase, needsLowercase: hasLowercase, needsNumber: hasNumber }
    yield section('passwordComplexity', owner, complexity, { minLength, ...needs, needsSymbol: hasSymbol })
  }
  if (age) {
    const { maxAgeDays = 0, expireWarnDays = 0 } = age.value
    yield section('passwordExpiry', owner, age, { maxAgeDays, warnDays: expireWarnDays })
  }
  if (lockout) {
    const { maxPasswordAttempts = 0, maxOTPAttempts = 0, showLockOutFailures = false } = lockout.value
    yield section('lockout', owner, lockout, { maxPasswordAttempts, maxOtpAttempts: maxOTPAttempts })
    if (maxPasswordAttempts === 0 || maxOTPAttempts === 0) {
      yield remark('settings', about, 'Attempts without a limit stay behind: the maximum of the server applies.')
    }
    if (showLockOutFailures) yield remark('settings', about, 'The number of failed attempts is never shown here.')
  }
}

/** The look of the pages; the owner's files are pictures. */
function brandingValues({ values }: Label, isActive: boolean): SettingsValues['branding'] {
  const colors = (dark: 'Dark' | '') => ({
    primaryColor: values[`primaryColor${dark}`] ?? '',
    backgroundColor: values[`backgroundColor${dark}`] ?? '',
    warnColor: values[`warnColor${dark}`] ?? '',
    fontColor: values[`fontColor${dark}`] ?? '',
  })
  return {
    light: colors(''),
    dark: colors('Dark'),
    hidesLoginNameSuffix: values.hideLoginNameSuffix ?? false,
    disablesWatermark: values.disableWatermark ?? values.disableMsgPopup ?? false,
    themeMode: (['auto', 'light', 'dark'] as const)[values.themeMode ?? 0] ?? 'auto',
    isActive,
  }
}

function* brandingSections(owner: string, { label, activeLabel }: LevelState, { world }: Reading): Generator<Item> {
  if (activeLabel) yield section('branding', owner, activeLabel, brandingValues(activeLabel.value, true))
  if (!label || label.value === activeLabel?.value) return
  yield section('branding', owner, label, brandingValues(label.value, false), 'branding-draft')
  if (activeLabel && label.value.files !== activeLabel.value.files) {
    yield remark(
      'settings',
      owner || world.instance.id,
      'Logos, icons and fonts that were not activated yet stay behind.',
    )
  }
}

function legalValues(privacy: PolicyValues<'privacy'>): SettingsValues['legal'] {
  const { tosLink = '', privacyLink = '', helpLink = '', supportEmail = '' } = privacy
  const { docsLink = '', customLink = '', customLinkText = '' } = privacy
  return { tosLink, privacyLink, helpLink, supportEmail, docsLink, customLink, customLinkText }
}

/** What has no place here. */
function* levelRemarks(owner: string, level: LevelState, { world }: Reading): Generator<Item> {
  const { policies, hasMailTemplate, secondFactors } = level
  const { login, notification, domain } = policies
  const id = owner || world.instance.id
  const unlisted = SECOND_FACTORS.filter((name, number) => name !== undefined && !secondFactors.has(number))
  if (login && unlisted.length > 0) {
    const list = unlisted.join(', ')
    yield remark('settings', id, `Second factors that the login policy does not list are refused here: ${list}.`)
  }
  if (notification && !notification.value.passwordChange) {
    yield remark('settings', id, 'Users are always told that their password was changed (notification policy).')
  }
  if (domain?.value.smtpSenderAddressMatchesInstanceDomain || domain?.value.validateOrgDomains) {
    yield remark('settings', id, 'Of the domain policy only the rule for login names is carried.')
  }
  if (hasMailTemplate) {
    yield remark('settings', id, 'The HTML template of mails stays behind: mails have the built-in one here.')
  }
}

function* levelDrafts(owner: string, level: LevelState, reading: Reading): Generator<Item> {
  const { login, privacy } = level.policies
  if (login) yield section('login', owner, login, loginValues(login.value, level))
  yield* passwordSections(owner, level, reading)
  if (privacy) yield section('legal', owner, privacy, legalValues(privacy.value))
  yield* brandingSections(owner, level, reading)
  yield* levelRemarks(owner, level, reading)
}

const IMPROVED = [undefined, undefined, 'project_grant', 'project', 'user_grant', 'org_domain_verified'] as const

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

function flagsOf({ flags, improvedPerformance, loginV2 }: FeatureState): FeatureFlags {
  return {
    ...Object.fromEntries([...flags].map(([name, value]) => [camelCase(name), value])),
    ...(improvedPerformance && { improvedPerformance: improvedPerformance.flatMap((path) => IMPROVED[path] ?? []) }),
    ...(loginV2 && { loginV2 }),
  }
}

/** What an organization no longer has of its own. */
function* resetSections(organizationId: string, { policies, label, activeLabel }: LevelState): Generator<Item> {
  const present: Readonly<Record<ResettableSection, unknown>> = {
    login: policies.login,
    passwordComplexity: policies['password.complexity'],
    passwordExpiry: policies['password.age'],
    lockout: policies.lockout,
    legal: policies.privacy,
    branding: label ?? activeLabel,
  }
  for (const [name, value] of Object.entries(present)) {
    if (value !== undefined) continue
    const reset = name as ResettableSection
    yield removed({ kind: 'settings', id: `${organizationId}:${reset}`, organizationId, section: reset })
  }
}

/** All sections, those of the instance first. */
export async function* settingsDrafts(reading: Reading): AsyncGenerator<Item> {
  for await (const { state } of folded(reading, instanceLevel)) yield* levelDrafts('', state, reading)
  for await (const { state, createdAt, changedAt } of folded(reading, features)) {
    const values = flagsOf(state)
    if (Object.keys(values).length > 0) yield section('features', '', { createdAt, changedAt }, values)
  }
  for await (const { id, state } of folded(reading, organizationLevel)) {
    if (!(await reading.world.organization(id))) continue
    yield* resetSections(id, state)
    yield* levelDrafts(id, state, reading)
  }
}

/** The files of the look that applies, or of the only one there is. */
export function filesOf({ label, activeLabel }: LevelState): Dated<Label> | undefined {
  return activeLabel ?? label
}
