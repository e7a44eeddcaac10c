/**
 * Sign-in with a key: creates the options for the browser and verifies its response. The caller stores the challenge
 * and ensures that it is used once.
 */
import type { JsonObject } from '@bufbuild/protobuf'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work } from '../../../store/index.ts'
import type { ReadyPasskey } from '../decider.ts'
import { CREDENTIAL_CLAIM, credentialClaim, passkeys } from '../documents.ts'
import type { KeyUse } from '../events.ts'
import { keysOf } from '../find-keys.ts'
import { passkeyRefusals } from '../refusals.ts'
import { expectedOf, requireRpId } from '../relying-party.ts'
import {
  CHALLENGE_MILLISECONDS,
  newChallenge,
  requestOptions,
  type UserVerification,
  userHandleOf,
} from '../webauthn/options.ts'
import { type SignedAssertion, verifySignedAssertion } from '../webauthn/verify-credential.ts'

/** The data that the session or page stores until the assertion arrives. */
export interface AssertionChallenge {
  /** base64url. */
  readonly challenge: string
  readonly rpId: string
  readonly userVerification: UserVerification
  /** Credential IDs in base64url; empty when the user is not known yet. */
  readonly allowed: readonly string[]
  readonly expiresAt: Instant
}

/** A passkey verifies its user; a second factor only has to be present. */
function useFor(userVerification: UserVerification): KeyUse {
  return userVerification === 'required' ? 'passkey' : 'second_factor'
}

/**
 * Requests an assertion of a user, or of any user with a passkey there if none is given. Throws `passkey.none` and
 * `passkey.domain_not_allowed`.
 */
export async function requestAssertion(
  app: App,
  of: {
    readonly userId: string | undefined
    readonly rpId: string
    readonly userVerification: UserVerification
    readonly at: Instant
  },
): Promise<{ readonly challenge: AssertionChallenge; readonly options: JsonObject }> {
  const { userId, userVerification, at } = of
  const rpId = requireRpId(app, of.rpId)
  const keys = userId === undefined ? [] : await keysOf(app, userId, useFor(userVerification))
  const allowed = keys.filter((key) => key.rpId === rpId)
  if (userId !== undefined && allowed.length === 0) throw refused(passkeyRefusals, 'passkey.none')
  const challenge = newChallenge()
  return {
    challenge: {
      challenge,
      rpId,
      userVerification,
      allowed: allowed.map(({ credentialId }) => credentialId),
      expiresAt: instant(at + CHALLENGE_MILLISECONDS),
    },
    options: requestOptions({ rpId, challenge, userVerification, allowed }),
  }
}

/** The user who signed, and the key. */
export interface VerifiedAssertion {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly keyId: string
  readonly use: KeyUse
  readonly userVerified: boolean
  /**
   * Writes the new counter of the key. Throws `passkey.assertion_invalid` when the key was removed or used meanwhile.
   */
  confirm(work: Work): Promise<void>
}

function assertionInvalid() {
  return refused(passkeyRefusals, 'passkey.assertion_invalid')
}

async function findCredential({ store }: App, id: unknown): Promise<Document<ReadyPasskey>> {
  if (typeof id !== 'string') throw assertionInvalid()
  const keyId = await store.findClaimHolder(CREDENTIAL_CLAIM, credentialClaim(id.replace(/=+$/, '')))
  const key = keyId === undefined ? undefined : await store.get(passkeys, keyId)
  if (key?.state.status !== 'ready') throw assertionInvalid()
  return key as Document<ReadyPasskey>
}

/**
 * WebAuthn Level 3 §7.2, steps 5 and 6: the credential must be allowed, and must belong to the user in the response.
 */
function checkOwner(
  key: ReadyPasskey,
  { allowed, rpId, userVerification }: AssertionChallenge,
  userId: string | undefined,
  credential: JsonObject,
): void {
  const { response } = credential
  const isObject = typeof response === 'object' && response !== null && !Array.isArray(response)
  const handle = isObject ? (response.userHandle ?? undefined) : undefined
  const hasHandle =
    typeof handle === 'string' && handle.replace(/=+$/, '') === (key.userHandle ?? userHandleOf(key.userId))
  const isRight =
    key.rpId === rpId &&
    key.use === useFor(userVerification) &&
    (userId === undefined ? hasHandle : userId === key.userId && (handle === undefined || hasHandle)) &&
    (allowed.length === 0 ? userId === undefined : allowed.includes(key.credentialId))
  if (!isRight) throw assertionInvalid()
}

function confirmUse(keyId: string, { signCount, isBackedUp, isBackupEligible }: Omit<SignedAssertion, 'userVerified'>) {
  return async (work: Work): Promise<void> => {
    const key = await work.get(passkeys, keyId)
    if (key?.state.status !== 'ready') throw assertionInvalid()
    const at = work.origin.at
    await work.decide(passkeys, keyId, { type: 'use', signCount, isBackedUp, isBackupEligible, at })
  }
}

/**
 * Verifies the response to a challenge. Throws `passkey.assertion_invalid` for an invalid one, and
 * `passkey.challenge_expired`. Writes nothing before `confirm`.
 */
export async function verifyAssertion(
  app: App,
  given: {
    readonly challenge: AssertionChallenge
    readonly userId: string | undefined
    readonly credential: JsonObject
    readonly at: Instant
  },
): Promise<VerifiedAssertion> {
  const { challenge, userId, credential, at } = given
  if (at >= challenge.expiresAt) throw refused(passkeyRefusals, 'passkey.challenge_expired')
  const { id: keyId, owner, state } = await findCredential(app, credential.id)
  checkOwner(state, challenge, userId, credential)
  const requiresUserVerification = challenge.userVerification === 'required'
  const expected = expectedOf(app, { ...challenge, requiresUserVerification })
  const signed = await verifySignedAssertion(credential, state, expected)
  const { use, userId: ownerOfKey } = state
  return {
    userId: ownerOfKey,
    owner,
    keyId,
    use,
    userVerified: signed.userVerified,
    confirm: confirmUse(keyId, signed),
  }
}
