/** The rules of settings of a single owner; `effective.ts` combines them. Pure. */

import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import { languageOf } from '../../kernel/languages.ts'
import {
  type AppearanceCommand,
  type AppearanceState,
  decideAppearance,
  evolveAppearance,
} from './decide-appearance.ts'
import { decideMessages, evolveMessages, type MessagesCommand, type MessagesState } from './decide-messages.ts'
import { type ByReach, keepReach, type Reaching, withReach } from './decide-reach.ts'
import type {
  FeatureFlags,
  Lockout,
  LoginSettings,
  OidcLifetimes,
  PasswordComplexity,
  SecuritySettings,
  SettingsEvent,
} from './events.ts'
import { allowFactor, BUILT_IN_LOGIN, type Factor, isAllowed, loginProblem } from './login.ts'
import { decideProvider, type ProviderChoices, type ProviderCommand, withProviderChoice } from './providers.ts'
import type { SettingsRefusal } from './refusals.ts'
import { type Declaration, SECTIONS } from './sections.ts'
import { type Manner, type SettingsDecision, set } from './set-value.ts'

export type { Manner } from './set-value.ts'

/** Settings that only an organization has. */
export interface OrganizationSettings {
  /** Where new usernames must be unique. */
  readonly userNameScope: 'instance' | 'organization'
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** Missing settings are not set here: those of the instance or the built-in ones apply. */
export interface Settings extends AppearanceState, MessagesState, Reaching {
  readonly isRemoved: boolean
  readonly passwordComplexity?: PasswordComplexity
  readonly lockout?: Lockout
  readonly login?: LoginSettings
  readonly providers?: ProviderChoices
  readonly organization?: OrganizationSettings
  readonly defaultLanguage?: string
  readonly security?: SecuritySettings
  readonly oidc?: OidcLifetimes
  readonly features?: FeatureFlags
}

export type SettingsCommand = ByReach &
  (
    | { readonly type: 'set_password_complexity'; readonly manner: Manner; readonly value: PasswordComplexity }
    | { readonly type: 'reset_password_complexity' }
    | { readonly type: 'set_lockout'; readonly manner: Manner; readonly value: Lockout }
    | { readonly type: 'reset_lockout' }
    | { readonly type: 'set_login'; readonly manner: Manner; readonly value: LoginSettings }
    /** `put` starts from the built-in settings when nothing is set. */
    | {
        readonly type: 'allow_factor' | 'forbid_factor'
        readonly manner: Exclude<Manner, 'add'>
        readonly factor: Factor
      }
    | { readonly type: 'reset_login' }
    | ProviderCommand
    | AppearanceCommand
    | MessagesCommand
    /** Fields that are not given do not change. */
    | {
        readonly type: 'set_organization'
        readonly organizationScopedUserNames?: boolean | undefined
        readonly at: Instant
      }
    | { readonly type: 'reset_organization' }
    | { readonly type: 'set_default_language'; readonly language: string }
    | { readonly type: 'set_security'; readonly value: SecuritySettings }
    | { readonly type: 'set_oidc'; readonly manner: Exclude<Manner, 'change'>; readonly value: OidcLifetimes }
    /** Flags that are not given do not change. */
    | { readonly type: 'set_features'; readonly flags: FeatureFlags }
    | { readonly type: 'reset_features' }
    | { readonly type: 'remove' }
  )

type Section = Exclude<keyof Settings, 'isRemoved' | 'reach'>

/** A section that does not say whether it is a path does not compile. */
SECTIONS satisfies Readonly<Record<Section, Declaration<SettingsCommand['type']>>>

function setLogin(
  { manner, value }: Extract<SettingsCommand, { type: 'set_login' }>,
  before: LoginSettings | undefined,
): SettingsDecision {
  const problem = loginProblem(value)
  if (problem !== undefined) return refuse(problem)
  return set(manner, before, value, { type: 'settings.login_set.v1', data: value })
}

function setFactor(
  { type, manner, factor }: Extract<SettingsCommand, { type: 'allow_factor' | 'forbid_factor' }>,
  own: LoginSettings | undefined,
): SettingsDecision {
  const before = manner === 'put' ? (own ?? BUILT_IN_LOGIN) : own
  if (before === undefined) return refuse('settings.no_own')
  const allows = type === 'allow_factor'
  if (isAllowed(before, factor) === allows)
    return refuse(allows ? 'settings.factor_exists' : 'settings.factor_not_found')
  return setLogin({ type: 'set_login', manner, value: allowFactor(before, factor, allows) }, own)
}

/** The state with a changed choice for one provider. */
function withChoice(
  { providers, ...rest }: Settings,
  { idpId }: { readonly idpId: string },
  choice: 'offered' | 'withheld' | undefined,
): Settings {
  const choices = withProviderChoice(providers, idpId, choice)
  return choices === undefined ? rest : { ...rest, providers: choices }
}

function setOrganization(
  { organizationScopedUserNames, at }: Extract<SettingsCommand, { type: 'set_organization' }>,
  before: OrganizationSettings | undefined,
): SettingsDecision {
  const isScoped = organizationScopedUserNames ?? before?.userNameScope === 'organization'
  if (before !== undefined && isScoped === (before.userNameScope === 'organization')) return accept()
  return accept({
    type: 'settings.organization_set.v1',
    data: { organizationScopedUserNames: isScoped, setAt: at },
  })
}

/** The flags that are not yet as they are asked for. */
function changedFlags(before: FeatureFlags, flags: FeatureFlags): FeatureFlags {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof FeatureFlags])
  return Object.fromEntries(Object.entries(flags).filter(isChanged))
}

function evolveSection(state: Settings, event: SettingsEvent): Settings {
  switch (event.type) {
    case 'settings.password_complexity_set.v1':
      return { ...state, passwordComplexity: event.data }
    case 'settings.password_complexity_reset.v1': {
      const { passwordComplexity: _, ...rest } = state
      return rest
    }
    case 'settings.lockout_set.v1':
      return { ...state, lockout: event.data }
    case 'settings.lockout_reset.v1': {
      const { lockout: _, ...rest } = state
      return rest
    }
    case 'settings.login_set.v1':
      return { ...state, login: event.data }
    case 'settings.login_reset.v1': {
      const { login: _, providers: __, ...rest } = state
      return rest
    }
    case 'settings.identity_provider_offered.v1':
      return withChoice(state, event.data, 'offered')
    case 'settings.identity_provider_withheld.v1':
      return withChoice(state, event.data, 'withheld')
    case 'settings.identity_provider_forgotten.v1':
      return withChoice(state, event.data, undefined)
    case 'settings.organization_set.v1': {
      const { organizationScopedUserNames, setAt } = event.data
      const userNameScope = organizationScopedUserNames ? 'organization' : 'instance'
      const createdAt = state.organization?.createdAt ?? setAt
      return { ...state, organization: { userNameScope, createdAt, changedAt: setAt } }
    }
    case 'settings.organization_reset.v1': {
      const { organization: _, ...rest } = state
      return rest
    }
    case 'settings.default_language_set.v1':
      return { ...state, defaultLanguage: event.data.language }
    case 'settings.security_set.v1':
      return { ...state, security: event.data }
    case 'settings.oidc_set.v1':
      return { ...state, oidc: event.data }
    case 'settings.branding_asset_drafted.v1':
    case 'settings.branding_asset_withdrawn.v1':
    case 'settings.branding_drafted.v1':
    case 'settings.branding_activated.v1':
    case 'settings.branding_reset.v1':
    case 'settings.legal_set.v1':
    case 'settings.legal_reset.v1':
    case 'settings.password_expiry_set.v1':
    case 'settings.password_expiry_reset.v1':
      return evolveAppearance(state, event)
    case 'settings.notifications_set.v1':
    case 'settings.notifications_reset.v1':
    case 'settings.languages_allowed.v1':
    case 'settings.generator_set.v1':
      return evolveMessages(state, event)
    case 'settings.features_set.v1':
      return { ...state, features: { ...state.features, ...event.data } }
    case 'settings.features_reset.v1': {
      const { features: _, ...rest } = state
      return rest
    }
    case 'settings.reach_set.v1': {
      const { section, reach } = event.data
      return { ...state, reach: { ...state.reach, [section]: reach } }
    }
    case 'settings.removed.v1':
      return { isRemoved: true }
  }
}

function decideSection(command: SettingsCommand, state: Settings): SettingsDecision {
  if (state.isRemoved) return refuse('settings.removed')
  switch (command.type) {
    case 'set_password_complexity': {
      const { manner, value } = command
      const event = { type: 'settings.password_complexity_set.v1', data: value } as const
      return set(manner, state.passwordComplexity, value, event)
    }
    case 'reset_password_complexity':
      return state.passwordComplexity === undefined
        ? accept()
        : accept({ type: 'settings.password_complexity_reset.v1', data: {} })
    case 'set_lockout': {
      const { manner, value } = command
      return set(manner, state.lockout, value, { type: 'settings.lockout_set.v1', data: value })
    }
    case 'reset_lockout':
      return state.lockout === undefined ? accept() : accept({ type: 'settings.lockout_reset.v1', data: {} })
    case 'set_login':
      return setLogin(command, state.login)
    case 'allow_factor':
    case 'forbid_factor':
      return setFactor(command, state.login)
    case 'reset_login':
      return state.login === undefined && state.providers === undefined
        ? accept()
        : accept({ type: 'settings.login_reset.v1', data: {} })
    case 'offer_provider':
    case 'withhold_provider':
    case 'forget_provider':
      return decideProvider(command, state.providers)
    case 'set_organization':
      return setOrganization(command, state.organization)
    case 'reset_organization':
      return state.organization === undefined ? accept() : accept({ type: 'settings.organization_reset.v1', data: {} })
    case 'set_default_language': {
      const { language } = command
      const { allowedLanguages = [] } = state
      const isAllowed = allowedLanguages.length === 0 || allowedLanguages.includes(language)
      if (languageOf(language) !== language || !isAllowed) return refuse('settings.language_unsupported')
      return language === state.defaultLanguage
        ? accept()
        : accept({ type: 'settings.default_language_set.v1', data: { language } })
    }
    case 'set_security': {
      const { value } = command
      return set('put', state.security, value, { type: 'settings.security_set.v1', data: value })
    }
    case 'set_oidc': {
      const { manner, value } = command
      if (manner === 'add' && state.oidc !== undefined) return refuse('settings.oidc_exists')
      return set(manner, state.oidc, value, { type: 'settings.oidc_set.v1', data: value })
    }
    case 'draft_asset':
    case 'draft_branding':
    case 'activate_branding':
    case 'reset_branding':
    case 'set_legal':
    case 'reset_legal':
    case 'set_password_expiry':
    case 'reset_password_expiry':
      return decideAppearance(command, state)
    case 'set_notifications':
    case 'reset_notifications':
    case 'allow_languages':
    case 'set_generator':
      return decideMessages(command, state)
    case 'set_features': {
      const flags = changedFlags(state.features ?? {}, command.flags)
      return Object.keys(flags).length === 0 ? accept() : accept({ type: 'settings.features_set.v1', data: flags })
    }
    case 'reset_features':
      return state.features === undefined ? accept() : accept({ type: 'settings.features_reset.v1', data: {} })
    case 'remove':
      return accept({ type: 'settings.removed.v1', data: {} })
  }
}

export const settingsDecider: Decider<SettingsCommand, Settings, SettingsEvent, SettingsRefusal> = {
  initial: { isRemoved: false },

  evolve: (state, event) => keepReach(evolveSection(state, event)),

  decide: (command, state) => withReach(command, state, decideSection(command, state)),
}
