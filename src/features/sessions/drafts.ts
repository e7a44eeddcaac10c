/** What a request wants of a session, before anything is checked; the same for the API and for the hosted pages. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { UserVerification } from '../passkeys/index.ts'
import type { UserAgent } from './events.ts'

export interface ChecksDraft {
  readonly user?: { readonly userId: string } | { readonly loginName: string; readonly organizationId?: string | undefined }
  readonly password?: string
  readonly intent?: { readonly intentId: string; readonly token: string }
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
    /** Asks for a passkey of any user, while none is checked: the owner of the passkey becomes the user. */
    readonly isForAnyUser?: boolean
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
}

export interface SessionUpdate extends SessionDraft {
  readonly sessionId: string
  /** Must be the current one, if given. */
  readonly token?: string
}

/** The challenges of a request, as the client gets them. */
export interface GivenChallenges {
  /** What the WebAuthn client is called with: `{ publicKey }`. */
  readonly webAuthN?: JsonObject
  /** The code itself, only when it was to be returned. */
  readonly otpSms?: string
  readonly otpEmail?: string
}
