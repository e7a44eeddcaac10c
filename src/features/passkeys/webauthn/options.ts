/** The options for browsers (WebAuthn Level 3 §5.4 and §5.5) in JSON, and new challenges. */
import { createHash, randomBytes } from 'node:crypto'
import type { JsonObject } from '@bufbuild/protobuf'
import type { KeyUse } from '../events.ts'
import { ALGORITHMS } from './public-key.ts'

/** How long a challenge is valid. It is also the timeout for browsers. */
export const CHALLENGE_MILLISECONDS = 300_000

/** Whether the authenticator must verify its user (by fingerprint or PIN), should, or need not. */
export type UserVerification = 'required' | 'preferred' | 'discouraged'

/** Where a key must be: in the device, on another device, or (undefined) anywhere. */
export type Attachment = 'platform' | 'cross-platform' | undefined

const CHALLENGE_BYTES = 32

/** A new challenge, base64url. */
export function newChallenge(): string {
  return randomBytes(CHALLENGE_BYTES).toString('base64url')
}

const LONGEST_HANDLE = 64

/** The user ID for authenticators (§5.4.3: at most 64 bytes, no personal data): the ID, or its hash. base64url. */
export function userHandleOf(userId: string): string {
  const bytes = Buffer.from(userId)
  const handle = bytes.length <= LONGEST_HANDLE ? bytes : createHash('sha256').update(bytes).digest()
  return handle.toString('base64url')
}

/** A known credential. */
export interface CredentialHint {
  readonly credentialId: string
  readonly transports: readonly string[]
}

function descriptorsOf(credentials: readonly CredentialHint[]): JsonObject[] {
  return credentials.map(({ credentialId, transports }) => ({
    type: 'public-key',
    id: credentialId,
    ...(transports.length > 0 && { transports: [...transports] }),
  }))
}

export interface CreationOf {
  /** The name that authenticators show. */
  readonly rpName: string
  readonly rpId: string
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly challenge: string
  readonly use: KeyUse
  readonly attachment: Attachment
  /** The existing keys of the user. */
  readonly known: readonly CredentialHint[]
}

/** For `navigator.credentials.create`. A passkey must be usable without a username; a second factor need not. */
export function creationOptions(of: CreationOf): JsonObject {
  return {
    publicKey: {
      rp: { id: of.rpId, name: of.rpName },
      user: { id: userHandleOf(of.user.id), name: of.user.name, displayName: of.user.displayName },
      challenge: of.challenge,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: CHALLENGE_MILLISECONDS,
      excludeCredentials: descriptorsOf(of.known),
      authenticatorSelection: {
        ...(of.attachment !== undefined && { authenticatorAttachment: of.attachment }),
        residentKey: of.use === 'passkey' ? 'required' : 'discouraged',
        requireResidentKey: of.use === 'passkey',
        userVerification: of.use === 'passkey' ? 'required' : 'preferred',
      },
      attestation: 'none',
    },
  }
}

export interface RequestOf {
  readonly rpId: string
  readonly challenge: string
  readonly userVerification: UserVerification
  /** The allowed credentials; if empty, any credential of the user. */
  readonly allowed: readonly CredentialHint[]
}

/** For `navigator.credentials.get`. */
export function requestOptions({ rpId, challenge, userVerification, allowed }: RequestOf): JsonObject {
  return {
    publicKey: {
      challenge,
      rpId,
      timeout: CHALLENGE_MILLISECONDS,
      allowCredentials: descriptorsOf(allowed),
      userVerification,
    },
  }
}
