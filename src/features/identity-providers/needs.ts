/** What this room is given by whoever wires the house. */
import type { NewId } from '../../kernel/id.ts'
import type { Store } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'

export interface IdentityProvidersNeeds {
  readonly store: Store
  readonly vault: Vault
  readonly newId: NewId
  readonly instanceId: string
}
