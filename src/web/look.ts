/** How a page looks, for the document around it. */
import type { Brand } from '../features/settings/index.ts'

/** What the document around a page needs to know. */
export interface Look {
  /** The organization; empty when the look is not that of one. */
  readonly name: string
  readonly themeMode: Brand['themeMode']
  readonly hidesOurName: boolean
  readonly stylesheet?: string | undefined
  readonly logo?: string | undefined
  readonly logoDark?: string | undefined
  readonly icon?: string | undefined
}

/** Our own look. */
export const BUILT_IN_LOOK: Look = { name: '', themeMode: 'auto', hidesOurName: false }
