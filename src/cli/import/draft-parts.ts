/** What drafts of several kinds have in common. */
import type { Instant } from '../../kernel/instant.ts'

export interface PasskeyDraft {
  readonly id: string
  readonly name: string
  /** `second-factor`: a security key that is used after the password. */
  readonly use: 'passkey' | 'second-factor'
  /** Base64url. */
  readonly credentialId: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** The user handle that the authenticator stores, base64url; when it is not the user's ID. */
  readonly userHandle?: string
  readonly rpId: string
  readonly signCount: number
  readonly aaguid?: string
  readonly transports?: readonly string[]
  /** Undefined where the source does not keep it: it is learned at the first use. */
  readonly isBackupEligible?: boolean
  readonly createdAt: Instant
}

/** A webhook that messages are posted to. */
export interface WebhookValues {
  readonly endpoint: string
  readonly description: string
  readonly signingKey: string
  readonly isActive: boolean
}
