/**
 * Passkeys, and security keys as second factors (WebAuthn Level 3). A key is registered by its user, by an
 * administrator, or with a link; sessions and pages request assertions and verify them here. `webauthn/` reads the data
 * of browsers and authenticators.
 */
import { STAYS, stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { carriedPasskeys } from './carried.ts'
import { passkeyRegistrations } from './documents.ts'
import { removePasskeysOf } from './handlers/change-key.ts'
import { passkeyRefusals } from './refusals.ts'
import { passkeyMethodsV1 } from './rpc-v1.ts'
import { passkeyMethods } from './rpc-v2.ts'

export const passkeysModule = module({
  name: 'passkeys',
  kinds: [carriedPasskeys, ...stays(STAYS.underWay, passkeyRegistrations)],
  refusals: passkeyRefusals,
  methods: (app) => [...passkeyMethodsV1(app), ...passkeyMethods(app)],
  whenUserRemoved: removePasskeysOf,
})

export { importPasskey, type PasskeyDraft, putKey } from './carried.ts'
export { passkeys } from './documents.ts'
export type { KeyUse } from './events.ts'
export { findPasskeyMethods, findPendingKeys, type KnownKey, keysOf } from './find-keys.ts'
export { removeKey, removeKeysOf, renameKey } from './handlers/change-key.ts'
export { createLinkAddress } from './handlers/create-link.ts'
export {
  checkRegistrationLink,
  finishRegistration,
  type StartedRegistration,
  startRegistration,
  startRegistrationByLink,
} from './handlers/register-key.ts'
export {
  type AssertionChallenge,
  requestAssertion,
  type VerifiedAssertion,
  verifyAssertion,
} from './handlers/verify-assertion.ts'
export { canUseKeysAt, relatedOrigins } from './relying-party.ts'
export { type UserVerification, userHandleOf } from './webauthn/options.ts'
