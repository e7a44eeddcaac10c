/** Events about shared signals. */

export const signalSentences: Readonly<Record<string, string>> = {
  'signal_stream.added': 'A stream of signals was added.',
  'signal_stream.changed': 'A stream of signals was changed.',
  'signal_stream.resealed': 'The header of a stream of signals was encrypted again.',
  'signal_stream.paused': 'A stream of signals was paused.',
  'signal_stream.disabled': 'A stream of signals was disabled.',
  'signal_stream.enabled': 'A stream of signals was enabled.',
  'signal_stream.restarted': 'A stream of signals was enabled again.',
  'signal_stream.subject_removed': 'A user was taken out of a stream of signals.',
  'signal_stream.subject_added': 'A user was added to a stream of signals again.',
  'signal_stream.verification_requested': 'A stream of signals was verified by its receiver.',
  'signal_stream.removed': 'A stream of signals was removed.',
  'trusted_transmitter.added': 'A trusted transmitter of signals was added.',
  'trusted_transmitter.changed': 'A trusted transmitter of signals was changed.',
  'trusted_transmitter.signal_applied': 'A signal of a trusted transmitter was applied to a user.',
  'trusted_transmitter.removed': 'A trusted transmitter of signals was removed.',
}
