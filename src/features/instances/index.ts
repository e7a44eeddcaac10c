/**
 * The instance: its name and first administrators, the vault that encrypts secrets for all modules, and the one-time
 * setup link for the first administrator.
 */
import { stays, within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { instances, keyRings, setupCodes } from './documents.ts'
import { instanceRefusals } from './refusals.ts'
import { instanceMethods } from './rpc.ts'
import { instanceMethodsV2 } from './rpc-v2.ts'

export const instancesModule = module({
  name: 'instances',
  kinds: [
    ...within('instance', instances),
    ...stays('Secrets are in the export; the new database seals them with a key of its own.', keyRings),
    ...stays('A link for the first administrator; signet setup-link makes another one.', setupCodes),
  ],
  refusals: instanceRefusals,
  methods: (app) => [...instanceMethods(app), ...instanceMethodsV2(app)],
})

export type { Instance } from './decider.ts'
export {
  apiProjectId,
  consoleApplicationId,
  consoleClientId,
  defaultOrganizationId,
  findInstance,
  importDefaultOrganization,
  importInstanceName,
  instances,
  setupCodes,
} from './documents.ts'
export { instanceRefusals } from './refusals.ts'
export { type RestoredInstance, restoreInstance } from './restore-instance.ts'
export { type RotationProgress, rotateDataKey, rotateMasterKeyFile } from './rotate-keys.ts'
export {
  findOpenSetupCode,
  isSetupLinkOpen,
  issueRecoveryLink,
  issueSetupLink,
  type NewSetupLink,
  newSetupLink,
  reissueSetupLink,
  removeDeadSetupLink,
  SETUP_LINK_FILE,
  type SetupLink,
  useSetupCode,
} from './setup-link.ts'
export { openReadOnlyVault, opensVault, openVault } from './vault.ts'
