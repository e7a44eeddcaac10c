/** The front of this room: all that others may know about machines and what they sign in with. */
import type { Method } from '../../access/method.ts'
import type { MachinesNeeds } from './needs.ts'
import { machineMethodsV1 } from './rpc-v1.ts'
import { machineMethodsV2 } from './rpc-v2.ts'

export { removeCredentials } from './credentials.ts'
export type { MachineKeyCommand, MachineSecretCommand, PersonalAccessTokenCommand } from './decider.ts'
export { machineKeys, machineSecrets, personalAccessTokens } from './documents.ts'
export type { MachineKeyEvent, MachineSecretEvent, PersonalAccessTokenEvent } from './events.ts'
export { NEVER } from './expiration.ts'
export { identifyByPersonalAccessToken } from './identify.ts'
export type { MachinesNeeds } from './needs.ts'
export { type MachineRefusal, machineRefusals } from './refusals.ts'

/** The methods of this room. */
export function machineMethods(needs: MachinesNeeds): readonly Method[] {
  return [...machineMethodsV1(needs), ...machineMethodsV2(needs)]
}
