/**
 * Tokens, keys and secrets of machine users. Their documents contain hashes and public keys; only this module reads
 * them.
 */
import { type Instant, instant } from '../../kernel/instant.ts'
import { kind } from '../../store/index.ts'
import { machineKey, machineSecret, personalAccessToken } from './decider.ts'
import { machineKeyEvents, machineSecretEvents, personalAccessTokenEvents } from './events.ts'
import { machineRefusals } from './refusals.ts'

/**
 * The expiration of a credential without an expiration date: 9999-12-31T23:59:59Z, which every date format can express.
 */
export const NEVER: Instant = instant(253_402_300_799_000)

const credentialFields = {
  userId: { path: ['userId'], type: 'text' },
  expiresAt: { path: ['expiresAt'], type: 'number', indexed: false },
} as const

export const personalAccessTokens = kind({
  name: 'personal-access-token',
  ids: 'own',
  waits: { endsAlone: 'A machine signs in with it, as people do with a password.' },
  path: false,
  version: 3,
  personal: { by: 'userId' },
  events: personalAccessTokenEvents,
  decider: personalAccessToken,
  refusals: machineRefusals,
  fields: credentialFields,
  isGone: (state) => state.status === 'removed',
  limits: [{ things: 'personal access tokens', holder: 'a user', by: ['userId'], number: 1_000 }],
})

export const machineKeys = kind({
  name: 'machine-key',
  ids: 'own',
  waits: { endsAlone: 'A machine signs in with it, as people do with a password.' },
  path: false,
  version: 2,
  personal: { by: 'userId' },
  events: machineKeyEvents,
  decider: machineKey,
  refusals: machineRefusals,
  fields: credentialFields,
  isGone: (state) => state.status === 'removed',
  limits: [{ things: 'keys', holder: 'a user', by: ['userId'], number: 200 }],
})

/**
 * The ID of a secret is the ID of its machine user. The document remains after a removal, because the user can get
 * another secret.
 */
export const machineSecrets = kind({
  name: 'machine-secret',
  ids: { of: 'user' },
  waits: { endsAlone: 'A machine signs in with it, as people do with a password.' },
  path: false,
  version: 2,
  personal: { by: 'id' },
  events: machineSecretEvents,
  decider: machineSecret,
  refusals: machineRefusals,
  fields: {},
})
