/** Refusals about trusted transmitters of signals. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const trustedTransmitterRefusals = {
  'trusted_transmitter.not_found': ['not_found', 'The trusted transmitter does not exist.'],
  'trusted_transmitter.id_taken': ['conflict', 'The ID of the trusted transmitter is already taken.'],
  'trusted_transmitter.url_invalid': ['invalid', 'The issuer and the address of the keys must be https URLs.'],
  'trusted_transmitter.provider_not_found': [
    'precondition',
    'The identity provider does not exist here, or does not use OpenID Connect.',
  ],
} as const satisfies Catalogue

/** A code of this module. */
export type TrustedTransmitterRefusal = keyof typeof trustedTransmitterRefusals
