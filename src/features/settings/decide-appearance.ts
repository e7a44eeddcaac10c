/** The rules of the look of login pages, which has a draft. Pure. */

import type { AssetReference } from '../../kernel/asset-reference.ts'
import { accept, refuse } from '../../kernel/decider.ts'
import { BUILT_IN_BRANDING, brandingForms, brandingProblem } from './appearance.ts'
import type { SettingsEvent } from './events.ts'
import { problemsOf } from './forms.ts'
import { type Manner, type SettingsDecision, set } from './set-value.ts'
import type { Branding, BrandingSlot } from './values.ts'

/** Missing settings are not set here. */
export interface AppearanceState {
  readonly branding?: Branding
  /** A look that does not apply yet. */
  readonly brandingDraft?: Branding
}

export type AppearanceCommand =
  | { readonly type: 'draft_branding'; readonly manner: Manner; readonly value: Branding }
  /** Without an asset, that of the draft is withdrawn. `change` is refused when there is no draft. */
  | {
      readonly type: 'draft_asset'
      readonly manner: Exclude<Manner, 'add'>
      readonly slot: BrandingSlot
      readonly asset?: AssetReference
    }
  /** `change` is refused when there is nothing to activate. */
  | { readonly type: 'activate_branding'; readonly manner: Exclude<Manner, 'add'> }
  | { readonly type: 'reset_branding' }

type AppearanceEvent = Extract<SettingsEvent, { readonly type: `settings.branding_${string}` }>

/** The state after an event of these settings. */
export function evolveAppearance<State extends AppearanceState>(state: State, event: AppearanceEvent): State {
  switch (event.type) {
    case 'settings.branding_drafted.v1':
      return { ...state, brandingDraft: withAssets(event.data, state.brandingDraft?.assets) }
    case 'settings.branding_asset_drafted.v1':
    case 'settings.branding_asset_withdrawn.v1': {
      const { [event.data.slot]: _, ...others } = state.brandingDraft?.assets ?? {}
      const assets = 'asset' in event.data ? { ...others, [event.data.slot]: event.data.asset } : others
      return { ...state, brandingDraft: withAssets(state.brandingDraft ?? BUILT_IN_BRANDING, assets) }
    }
    case 'settings.branding_activated.v1':
      return { ...state, branding: state.brandingDraft ?? BUILT_IN_BRANDING }
    case 'settings.branding_reset.v1': {
      const { branding: _, brandingDraft: __, ...rest } = state
      return rest as State
    }
  }
}

function withAssets({ assets: _, ...look }: Branding, assets: Branding['assets']): Branding {
  return assets === undefined || Object.keys(assets).length === 0 ? look : { ...look, assets }
}

function isSameLook(one: Branding | undefined, other: Branding | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function draftBranding(manner: Manner, value: Branding, before: Branding | undefined): SettingsDecision {
  const { assets: _, ...look } = value
  if (problemsOf(brandingForms, look).length > 0) return refuse('settings.value_invalid')
  const problem = brandingProblem(value)
  if (problem !== undefined) return refuse(problem)
  const decision = set(manner, before, value, { type: 'settings.branding_drafted.v1', data: value })
  return decision.refusal === undefined && isSameLook(before, withAssets(value, before?.assets)) ? accept() : decision
}

function draftAsset(
  { manner, slot, asset }: Extract<AppearanceCommand, { type: 'draft_asset' }>,
  draft: Branding | undefined,
): SettingsDecision {
  if (manner === 'change' && draft === undefined) return refuse('settings.no_own')
  if (asset !== undefined) return accept({ type: 'settings.branding_asset_drafted.v1', data: { slot, asset } })
  return draft?.assets?.[slot] === undefined
    ? accept()
    : accept({ type: 'settings.branding_asset_withdrawn.v1', data: { slot } })
}

/** Decides about these settings. */
export function decideAppearance(command: AppearanceCommand, state: AppearanceState): SettingsDecision {
  switch (command.type) {
    case 'draft_branding':
      return draftBranding(command.manner, command.value, state.brandingDraft)
    case 'draft_asset':
      return draftAsset(command, state.brandingDraft)
    case 'activate_branding':
      if (command.manner === 'change' && state.brandingDraft === undefined) return refuse('settings.no_own')
      return isSameLook(state.branding, state.brandingDraft)
        ? accept()
        : accept({ type: 'settings.branding_activated.v1', data: {} })
    case 'reset_branding':
      return state.branding === undefined && state.brandingDraft === undefined
        ? accept()
        : accept({ type: 'settings.branding_reset.v1', data: {} })
  }
}
