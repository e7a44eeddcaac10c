/**
 * Signing with a key: what the browser is asked for, and whether its answer is right. Whoever asks keeps the challenge
 * and sees to it that it counts once.
 */
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@bufbuild/protobuf'
import { type Instant, instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Store, Work } from '../../store/index.ts'
import type { ReadyPasskey } from './decider.ts'
import { CREDENTIAL_CLAIM, credentialClaim, passkeys } from './documents.ts'
import type { KeyUse } from './events.ts'
import { keysOf } from './finding.ts'
import type { PasskeysNeeds } from './needs.ts'
import { CHALLENGE_MILLISECONDS, requestOptions, type UserVerification, userHandleOf } from './options.ts'
import { passkeyRefusals } from './refusals.ts'
import { isExpectedOrigin, rpIdFor } from './relying-party.ts'
import { verifySignedAssertion } from './webauthn.ts'

export type { UserVerification } from './options.ts'

/** What whoever asked for an assertion (a session, a page) keeps until it comes. */
export interface AssertionChallenge {
  /** base64url. */
  readonly challenge: string
  readonly rpId: string
  readonly userVerification: UserVerification
  /** Ids of credentials, base64url; empty when the user is not known yet. */
  readonly allowed: readonly string[]
  readonly expiresAt: Instant
}

type AssertionNeeds = Pick<PasskeysNeeds, 'store' | 'relyingParty' | 'random'>

const CHALLENGE_BYTES = 32

/** A new challenge, base64url. */
export function newChallenge({ random = randomBytes }: Pick<PasskeysNeeds, 'random'>): string {
  return Buffer.from(random(CHALLENGE_BYTES)).toString('base64url')
}

/** The relying party id for a domain; throws `passkey.domain_not_allowed`, naming the field. */
export function requireRpId({ relyingParty }: Pick<PasskeysNeeds, 'relyingParty'>, domain: string): string {
  const rpId = rpIdFor(relyingParty, domain)
  if (rpId !== undefined) return rpId
  const violations = [{ field: 'domain', description: 'must be a domain where passkeys and security keys can be used' }]
  throw refused(passkeyRefusals, 'passkey.domain_not_allowed', { violations })
}

/** What a credential must answer to in this house. */
export function expectedOf(
  { relyingParty }: Pick<PasskeysNeeds, 'relyingParty'>,
  { challenge, rpId, requiresUserVerification }: { challenge: string; rpId: string; requiresUserVerification: boolean },
) {
  return {
    challenge,
    rpId,
    requiresUserVerification,
    isExpectedOrigin: (origin: string) => isExpectedOrigin(relyingParty, rpId, origin),
    // A frame is ours to be asked in only when the page around it is.
    isExpectedFrame: (top: string | undefined) => top !== undefined && isExpectedOrigin(relyingParty, rpId, top),
  }
}

/** Passkeys know their user; a second factor only needs to be there. */
function useFor(userVerification: UserVerification): KeyUse {
  return userVerification === 'required' ? 'passkey' : 'second_factor'
}

/**
 * Asks for a signature: of a user, or of whoever has a passkey there when no user is given. Throws `passkey.none` and
 * `passkey.domain_not_allowed`.
 */
export async function requestAssertion(
  needs: AssertionNeeds,
  of: {
    readonly userId: string | undefined
    readonly rpId: string
    readonly userVerification: UserVerification
    readonly at: Instant
  },
): Promise<{ readonly challenge: AssertionChallenge; readonly options: JsonObject }> {
  const { userId, userVerification, at } = of
  const rpId = requireRpId(needs, of.rpId)
  const keys = userId === undefined ? [] : await keysOf(needs.store, userId, useFor(userVerification))
  const allowed = keys.filter((key) => key.rpId === rpId)
  if (userId !== undefined && allowed.length === 0) throw refused(passkeyRefusals, 'passkey.none')
  const challenge = newChallenge(needs)
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

/** Who signed, and with what. */
export interface VerifiedAssertion {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly keyId: string
  readonly use: KeyUse
  readonly userVerified: boolean
  /** Writes how far the key counts now; throws `passkey.assertion_invalid` when it was removed or used meanwhile. */
  confirm(work: Work): Promise<void>
}

function assertionInvalid() {
  return refused(passkeyRefusals, 'passkey.assertion_invalid')
}

async function findCredential(store: Store, id: unknown): Promise<Document<ReadyPasskey>> {
  if (typeof id !== 'string') throw assertionInvalid()
  const keyId = await store.holder(CREDENTIAL_CLAIM, credentialClaim(id.replace(/=+$/, '')))
  const key = keyId === undefined ? undefined : await store.get(passkeys, keyId)
  if (key?.state.status !== 'ready') throw assertionInvalid()
  return key as Document<ReadyPasskey>
}

/** WebAuthn Level 3 §7.2, steps 5 and 6: one of those who were asked, and of the user it says it is of. */
function checkOwner(
  key: ReadyPasskey,
  { allowed, rpId, userVerification }: AssertionChallenge,
  userId: string | undefined,
  credential: JsonObject,
): void {
  const { response } = credential
  const isObject = typeof response === 'object' && response !== null && !Array.isArray(response)
  const handle = isObject ? (response.userHandle ?? undefined) : undefined
  const hasHandle = typeof handle === 'string' && handle.replace(/=+$/, '') === userHandleOf(key.userId)
  const isRight =
    key.rpId === rpId &&
    key.use === useFor(userVerification) &&
    (userId === undefined ? hasHandle : userId === key.userId && (handle === undefined || hasHandle)) &&
    (allowed.length === 0 ? userId === undefined : allowed.includes(key.credentialId))
  if (!isRight) throw assertionInvalid()
}

function confirmUse(
  keyId: string,
  { signCount, isBackedUp }: { readonly signCount: number; readonly isBackedUp: boolean },
) {
  return async (work: Work): Promise<void> => {
    const key = await work.read(passkeys, keyId)
    if (key?.state.status !== 'ready') throw assertionInvalid()
    await work.decide(passkeys, keyId, { type: 'use', signCount, isBackedUp })
  }
}

/**
 * Verifies an answer to a challenge. Throws `passkey.assertion_invalid` for whatever is wrong with it, and
 * `passkey.challenge_expired`. Nothing is written before `confirm`.
 */
export async function verifyAssertion(
  needs: AssertionNeeds,
  given: {
    readonly challenge: AssertionChallenge
    readonly userId: string | undefined
    readonly credential: JsonObject
    readonly at: Instant
  },
): Promise<VerifiedAssertion> {
  const { challenge, userId, credential, at } = given
  if (at >= challenge.expiresAt) throw refused(passkeyRefusals, 'passkey.challenge_expired')
  const { id: keyId, owner, state } = await findCredential(needs.store, credential.id)
  checkOwner(state, challenge, userId, credential)
  const requiresUserVerification = challenge.userVerification === 'required'
  const expected = expectedOf(needs, { ...challenge, requiresUserVerification })
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
