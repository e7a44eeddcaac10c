import type { Draft } from '../../module/carried.ts'

/** Which identity providers an organization, or the instance, offers or not, where it has chosen. */
export interface ProviderChoicesDraft extends Draft<'provider-choices'> {
  readonly offered: readonly string[]
  readonly withheld: readonly string[]
}

export type OwnDraft = ProviderChoicesDraft
