/** What this room is given by whoever wires the house. */
import type { Store } from '../../store/index.ts'

export interface MembershipsNeeds {
  readonly store: Store
  readonly instanceId: string
}
