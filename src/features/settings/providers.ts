/** The identity providers of a login policy: all except those that were removed from it. Pure. */
import { accept, type Decision, refuse } from '../../kernel/decider.ts'
import type { SettingsEvent } from './events.ts'
import type { SettingsRefusal } from './refusals.ts'

/**
 * The choices of an owner for single providers. For others the choice of the instance applies; by default all are
 * offered.
 */
export interface ProviderChoices {
  readonly offered: readonly string[]
  readonly withheld: readonly string[]
  /** Both lists, each ID between line breaks, so that a removed provider is found here. */
  readonly search: string
}

export type ProviderCommand =
  /** `isWithheldAbove`: the instance has removed the provider, which applies to owners without a choice. */
  | {
      readonly type: 'offer_provider' | 'withhold_provider'
      readonly idpId: string
      readonly isWithheldAbove: boolean
    }
  /** The provider was removed. */
  | { readonly type: 'forget_provider'; readonly idpId: string }

/** As many as a list of providers can exclude, those of the organization and of the instance together. */
export const MOST_WITHHELD = 500

const NONE: ProviderChoices = { offered: [], withheld: [], search: '' }

/** How a provider is found in the search text. */
export function namedProvider(idpId: string): string {
  return `\n${idpId}\n`
}

/** The choices with a changed one for one provider; undefined when none is left. */
export function withProviderChoice(
  choices: ProviderChoices = NONE,
  idpId: string,
  choice: 'offered' | 'withheld' | undefined,
): ProviderChoices | undefined {
  const others = (ids: readonly string[]) => ids.filter((id) => id !== idpId)
  const offered = [...others(choices.offered), ...(choice === 'offered' ? [idpId] : [])]
  const withheld = [...others(choices.withheld), ...(choice === 'withheld' ? [idpId] : [])]
  const named = [...offered, ...withheld]
  return named.length === 0 ? undefined : { offered, withheld, search: named.map(namedProvider).join('') }
}

/** The providers that are excluded by the choices of an owner or, where it has none, of the instance. */
export function withheldOf(own: ProviderChoices = NONE, instance: ProviderChoices = NONE): readonly string[] {
  const isSettled = new Set([...own.offered, ...own.withheld])
  return [...own.withheld, ...instance.withheld.filter((id) => !isSettled.has(id))]
}

/**
 * Decides on one provider. Offering a provider that is already offered is not refused, because scripts are run again.
 */
export function decideProvider(
  command: ProviderCommand,
  choices: ProviderChoices = NONE,
): Decision<SettingsEvent, SettingsRefusal> {
  const { idpId } = command
  const isNamed = choices.search.includes(namedProvider(idpId))
  if (command.type === 'forget_provider') {
    return isNamed ? accept({ type: 'settings.identity_provider_forgotten.v1', data: { idpId } }) : accept()
  }
  const isOffered = isNamed ? choices.offered.includes(idpId) : !command.isWithheldAbove
  if (command.type === 'offer_provider') {
    return isOffered ? accept() : accept({ type: 'settings.identity_provider_offered.v1', data: { idpId } })
  }
  if (!isOffered) return refuse('settings.provider_not_offered')
  if (choices.withheld.length >= MOST_WITHHELD) return refuse('settings.too_many_withheld')
  return accept({ type: 'settings.identity_provider_withheld.v1', data: { idpId } })
}
