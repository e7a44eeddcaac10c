/** What this room is given by whoever wires the house. */
import type { MachineKeyPair } from '../../crypto/machine-key.ts'
import type { NewId } from '../../kernel/id.ts'
import type { Store } from '../../store/index.ts'

export interface MachinesNeeds {
  readonly store: Store
  readonly newId: NewId
  /** Makes a key pair; takes a while and does not block. */
  newKeyPair(): Promise<MachineKeyPair>
}
