/** Refusals about streams of security events. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const signalStreamRefusals = {
  'signal_stream.not_found': ['not_found', 'The stream does not exist.'],
  'signal_stream.id_taken': ['conflict', 'The stream ID is already taken.'],
  'signal_stream.configuration_invalid': ['invalid', 'The configuration of the stream is invalid.'],
  'signal_stream.receiver_not_machine': ['forbidden', 'Streams are for machine users.'],
  'signal_stream.receiver_not_allowed': ['forbidden', 'The machine user lacks the role of a receiver of signals.'],
  'signal_stream.subject_unsupported': [
    'invalid',
    'Subjects must have the format iss_sub and the issuer of this server.',
  ],
  'signal_stream.verified_lately': ['exhausted', 'A verification was requested less than a minute ago.'],
} as const satisfies Catalogue

/** A code of this module. */
export type SignalStreamRefusal = keyof typeof signalStreamRefusals
