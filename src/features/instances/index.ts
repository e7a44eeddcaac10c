/** The front of this room: all that others may know about the instance, its vault and its set-up link. */

export type { Vault } from '../../access/app.ts'
export type { Instance, InstanceCommand, SetupCodeCommand } from './decider.ts'
export { findInstance, instances, keyRings, setupCodes } from './documents.ts'
export type { InstanceEvent, KeyRingEvent, SetupCodeEvent } from './events.ts'
export { type InstanceRefusal, instanceRefusals } from './refusals.ts'
export { type Resealer, type Rotation, type RotationNeeds, rotateDataKey, rotateMasterKeyFile } from './rotate-keys.ts'
export { type InstancesNeeds, instanceMethods } from './rpc.ts'
export {
  formatSetupLink,
  isSetupLinkOpen,
  issueSetupLink,
  type NewSetupLink,
  newSetupLink,
  reissueSetupLink,
  type SetupLink,
  useSetupCode,
} from './setup-link.ts'
export { type MasterKeys, opensVault, openVault, type VaultNeeds } from './vault.ts'
