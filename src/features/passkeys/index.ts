/** The front of this room: all that others may know about passkeys and second-factor keys. */
export {
  type AssertionChallenge,
  requestAssertion,
  type UserVerification,
  type VerifiedAssertion,
  verifyAssertion,
} from './asserting.ts'
export type { Passkey, PasskeyCommand, ReadyPasskey } from './decider.ts'
export type { PasskeyRegistration, PasskeyRegistrationCommand } from './decisions/registration.ts'
export { passkeyRegistrations, passkeys } from './documents.ts'
export type { KeyUse, PasskeyEvent, PasskeyRegistrationEvent } from './events.ts'
export { findPasskeyMethods, type KnownKey, keysOf, removePasskeysOf } from './finding.ts'
export { createLink, type LinkMedium, REGISTRATION_LINK } from './links.ts'
export type { LinkMessage, PasskeyMessages, PasskeysNeeds } from './needs.ts'
export { userHandleOf } from './options.ts'
export { type PasskeyRefusal, passkeyRefusals } from './refusals.ts'
export {
  finishRegistration,
  removeKey,
  renameKey,
  type StartedRegistration,
  startRegistration,
  startRegistrationByLink,
} from './registering.ts'
export { type RelyingParty, relatedOrigins, relyingPartyAt } from './relying-party.ts'
export { passkeyMethods } from './rpc.ts'
