import type { Instant } from '../../kernel/instant.ts'
import type { Draft } from '../../module/carried.ts'
import type { Dates } from '../../store/index.ts'

/** Which identity providers an organization, or the instance, offers or not, where it has chosen. */
export interface ProviderChoicesDraft extends Draft<'provider-choices'> {
  readonly offered: readonly string[]
  readonly withheld: readonly string[]
}

export type OwnDraft = ProviderChoicesDraft

/** Where the user names of an organization are unique, since when, and the dates of its settings. */
export interface KnownNameScope {
  readonly isScoped: boolean
  readonly createdAt: Instant
  readonly changedAt: Instant
  readonly settingsDates: Dates
}
