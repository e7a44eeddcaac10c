/**
 * Machine users and their credentials: personal access tokens, keys and one secret. Credentials are shown once; only
 * hashes and public keys are stored.
 */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { carriedKeys, carriedMachines, carriedTokens } from './carried.ts'
import { keyUses, tokenUses } from './credential-uses.ts'
import { machineSecrets } from './documents.ts'
import { removeCredentials } from './handlers/remove-credential.ts'
import { machineRefusals } from './refusals.ts'
import { machineMethodsV1 } from './rpc-v1.ts'
import { machineMethodsV2 } from './rpc-v2.ts'
import { carriedTokenKeys } from './token-keys.ts'

export const machinesModule = module({
  name: 'machines',
  kinds: [
    carriedMachines,
    ...within('machine', machineSecrets),
    carriedTokens,
    ...within('token', tokenUses),
    carriedKeys,
    ...within('machine-key', keyUses),
    carriedTokenKeys,
  ],
  refusals: machineRefusals,
  methods: (app) => [...machineMethodsV1(app), ...machineMethodsV2(app)],
  whenUserRemoved: removeCredentials,
})

export type { MachineDraft } from './carried.ts'
export { keyUses, noteCredentialUse, tokenUses } from './credential-uses.ts'
export { machineKeys, machineSecrets, NEVER, personalAccessTokens } from './documents.ts'
export { findMachineKey, findMachineSecret, hasCredential, type MachineCredential } from './find-credential.ts'
export { addMachine, changeMachine } from './handlers/add-machine.ts'
export {
  identifyByPersonalAccessToken,
  isPersonalAccessToken,
  PERSONAL_SCOPE,
  usePersonalAccessToken,
} from './handlers/identify-bearer.ts'
export { type ListedToken, tokensOf } from './list-tokens.ts'
export type { TokenKeyDraft } from './token-keys.ts'
