/** The kinds of this room. Their documents hold hashes and public keys; only this room reads them. */
import { kind } from '../../store/index.ts'
import { machineKey, machineSecret, personalAccessToken } from './decider.ts'
import { machineKeyEvents, machineSecretEvents, personalAccessTokenEvents } from './events.ts'
import { machineRefusals } from './refusals.ts'

const credentialFields = {
  userId: { path: ['userId'], type: 'text' },
  expiresAt: { path: ['expiresAt'], type: 'number', indexed: false },
} as const

export const personalAccessTokens = kind({
  name: 'personal-access-token',
  version: 1,
  events: personalAccessTokenEvents,
  decider: personalAccessToken,
  refusals: machineRefusals,
  fields: credentialFields,
  isGone: (state) => state.status === 'removed',
})

export const machineKeys = kind({
  name: 'machine-key',
  version: 1,
  events: machineKeyEvents,
  decider: machineKey,
  refusals: machineRefusals,
  fields: credentialFields,
  isGone: (state) => state.status === 'removed',
})

/** The id of a secret is the id of its machine. Removed, it is not gone: the machine may get another one. */
export const machineSecrets = kind({
  name: 'machine-secret',
  version: 1,
  events: machineSecretEvents,
  decider: machineSecret,
  refusals: machineRefusals,
  fields: {},
})
