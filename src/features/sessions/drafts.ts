/** The contents of a session request before any check; the same for the API and for the hosted pages. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { AssertionChallenge, UserVerification } from '../passkeys/index.ts'
import type { ShownIntent } from '../sign-in-intents/index.ts'
import type { UserAgent } from './events.ts'

export interface ChecksDraft {
  readonly user?:
    | { readonly userId: string }
    | { readonly loginName: string; readonly organizationId?: string | undefined }
    /** What a person typed on a page: a login name, or an email address. */
    | { readonly signInName: string; readonly organizationId?: string | undefined }
  readonly password?: string
  readonly intent?: ShownIntent
  /** The PublicKeyCredential as JSON. */
  readonly webAuthN?: JsonObject
  readonly totp?: string
  readonly otpSms?: string
  readonly otpEmail?: string
  readonly recoveryCode?: string
}

export interface ChallengesDraft {
  readonly webAuthN?: {
    readonly domain: string
    readonly userVerification: UserVerification
  }
  readonly otpSms?: 'return' | 'send'
  readonly otpEmail?: 'return' | { readonly urlTemplate?: string }
}

export interface SessionDraft {
  readonly checks?: ChecksDraft
  readonly challenges?: ChallengesDraft
  /** An empty value removes the key. */
  readonly metadata?: Readonly<Record<string, string>>
  readonly lifetimeMs?: number
}

export interface NewSessionDraft extends SessionDraft {
  readonly userAgent?: UserAgent
  /**
   * A challenge for a passkey of any user, which was made before there was a session: `checks.webAuthN` answers it, and
   * the owner of the passkey becomes the user. It counts once.
   */
  readonly answers?: AssertionChallenge
  /** The authorization request that the browser came with, for the record of a refused sign-in. */
  readonly requestId?: string | undefined
}

export interface SessionUpdate extends SessionDraft {
  readonly requestId?: string | undefined
  readonly sessionId: string
  /** If set, must be the current one. */
  readonly token?: string
}

/** The challenges of a request for the client. */
export interface GivenChallenges {
  /** The options for the WebAuthn client: `{ publicKey }`. */
  readonly webAuthN?: JsonObject
  /** The code itself; set only if the request asked to return it. */
  readonly otpSms?: string
  readonly otpEmail?: string
}
