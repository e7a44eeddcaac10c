/** What this room is given by whoever wires the house. */
import type { NewId } from '../../kernel/id.ts'
import type { Store } from '../../store/index.ts'
import type { WhenRemoved } from './removing.ts'

export interface UsersNeeds {
  readonly store: Store
  readonly newId: NewId
  /** What other rooms keep for a user and remove with it. */
  readonly whenRemoved: readonly WhenRemoved[]
}
