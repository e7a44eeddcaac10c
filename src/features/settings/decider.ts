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
import type { SettingsEvent } from './events.ts'
import { allowFactor, BUILT_IN_LOGIN, baseUriProblem, type Factor, isAllowed } from './login.ts'
import { decidePlain, evolvePlain, isPlainEvent, type PlainCommand, type PlainState } from './plain.ts'
import { decideProvider, type ProviderChoices, type ProviderCommand, withProviderChoice } from './providers.ts'
import type { SettingsRefusal } from './refusals.ts'
import { type Above, SECTIONS } from './sections.ts'
import type { Manner, SettingsDecision } from './set-value.ts'
import type { FeatureFlags, LoginSettings } from './values.ts'

export type { Manner } from './set-value.ts'

/** Settings that only an organization has. */
export interface OrganizationSettings {
  /** Where new usernames must be unique. */
  readonly userNameScope: 'instance' | 'organization'
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** Missing settings are not set here: those of the instance or the built-in ones apply. */
export interface Settings extends PlainState, AppearanceState, MessagesState, Reaching {
  readonly isRemoved: boolean
  readonly providers?: ProviderChoices
  readonly organization?: OrganizationSettings
  readonly defaultLanguage?: string
  readonly features?: FeatureFlags
}

export type SettingsCommand = ByReach &
  (
    | PlainCommand
    /** `put` starts from the built-in settings when nothing is set. */
    | {
        readonly type: 'allow_factor' | 'forbid_factor'
        readonly manner: Exclude<Manner, 'add'>
        readonly factor: Factor
      }
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
    /** Flags that are not given do not change. */
    | { readonly type: 'set_features'; readonly flags: FeatureFlags }
    | { readonly type: 'reset_features' }
    | { readonly type: 'remove' }
  )

type Section = Exclude<keyof Settings, 'isRemoved' | 'reach'>

/** A section that does not say whose counts for people above an organization does not compile. */
SECTIONS satisfies Readonly<Record<Section, { readonly above: Above<SettingsCommand['type']> }>>

function setFactor(
  { type, manner, factor }: Extract<SettingsCommand, { type: 'allow_factor' | 'forbid_factor' }>,
  own: LoginSettings | undefined,
): SettingsDecision {
  const before = manner === 'put' ? (own ?? BUILT_IN_LOGIN) : own
  if (before === undefined) return refuse('settings.no_own')
  const allows = type === 'allow_factor'
  if (isAllowed(before, factor) === allows)
    return refuse(allows ? 'settings.factor_exists' : 'settings.factor_not_found')
  return decidePlain(
    { type: 'set', section: 'login', manner, value: allowFactor(before, factor, allows) },
    own === undefined ? {} : { login: own },
  )
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
  if (isPlainEvent(event)) {
    const { providers, ...rest } = evolvePlain(state, event)
    // With the policy go the choices of single providers.
    return event.type === 'settings.login_reset.v1' || providers === undefined ? rest : { ...rest, providers }
  }
  switch (event.type) {
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
    case 'settings.branding_asset_drafted.v1':
    case 'settings.branding_asset_withdrawn.v1':
    case 'settings.branding_drafted.v1':
    case 'settings.branding_activated.v1':
    case 'settings.branding_reset.v1':
      return evolveAppearance(state, event)
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
    case 'set':
      return decidePlain(command, state)
    case 'reset':
      return command.section === 'login' && state.providers !== undefined
        ? accept({ type: 'settings.login_reset.v1', data: {} })
        : decidePlain(command, state)
    case 'allow_factor':
    case 'forbid_factor':
      return setFactor(command, state.login)
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
    case 'draft_asset':
    case 'draft_branding':
    case 'activate_branding':
    case 'reset_branding':
      return decideAppearance(command, state)
    case 'allow_languages':
    case 'set_generator':
      return decideMessages(command, state)
    case 'set_features': {
      if (baseUriProblem(command.flags.loginV2?.baseUri ?? '') !== undefined) return refuse('settings.base_uri_invalid')
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
