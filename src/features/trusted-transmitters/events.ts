/**
 * Transmitters of signals that are trusted (OpenID Shared Signals Framework). Stream: `trusted-transmitter`, owned by the
 * organization whose users it may act on, or by the instance.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

/** What becomes of a user whose account was disabled there: signed out everywhere, or deactivated, too. */
export type WhenDisabled = 'end_sessions' | 'deactivate'

export interface TransmitterSettings {
  readonly name: string
  /** Who signs its tokens, and for whom they are. */
  readonly issuer: string
  readonly audience: string
  /** Where its public keys are. */
  readonly jwksUri: string
  /** The identity provider whose accounts its subjects are. */
  readonly providerId: string
  readonly whenDisabled: WhenDisabled
  /** Its events are refused. Default: false. */
  readonly isPaused?: boolean
}

/** Only the hash of the token is stored with which it sends. */
export interface TokenHash {
  readonly tokenHash: string
}

export const trustedTransmitterEvents = declareEvents({
  'trusted_transmitter.added.v1': data<TransmitterSettings & { readonly secret: TokenHash }>(),
  'trusted_transmitter.changed.v1': data<Partial<TransmitterSettings>>(),
  /** What one of its tokens did to a user, in the commit that did it. */
  'trusted_transmitter.signal_applied.v1': data<{
    readonly jti: string
    readonly signal: 'session-revoked' | 'account-disabled'
    readonly userId: string
    readonly isDeactivated: boolean
  }>(),
  'trusted_transmitter.removed.v1': data(),
})

export type TrustedTransmitterEvent = EventOf<typeof trustedTransmitterEvents>
