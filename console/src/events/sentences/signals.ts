/** Events about shared signals. */
import type { Texts } from '../../texts/languages.ts'

export const signalSentences: Readonly<Record<string, Texts<string>>> = {
  'signal_stream.added': {
    en: 'A stream of signals was added.',
    de: 'Ein Signalstrom wurde hinzugefügt.',
    fr: 'Un flux de signaux a été ajouté.',
  },
  'signal_stream.changed': {
    en: 'A stream of signals was changed.',
    de: 'Ein Signalstrom wurde geändert.',
    fr: 'Un flux de signaux a été modifié.',
  },
  'signal_stream.resealed': {
    en: 'The header of a stream of signals was encrypted again.',
    de: 'Der Header eines Signalstroms wurde neu verschlüsselt.',
    fr: 'L’en-tête d’un flux de signaux a été rechiffré.',
  },
  'signal_stream.paused': {
    en: 'A stream of signals was paused.',
    de: 'Ein Signalstrom wurde angehalten.',
    fr: 'Un flux de signaux a été mis en pause.',
  },
  'signal_stream.disabled': {
    en: 'A stream of signals was disabled.',
    de: 'Ein Signalstrom wurde deaktiviert.',
    fr: 'Un flux de signaux a été désactivé.',
  },
  'signal_stream.enabled': {
    en: 'A stream of signals was enabled.',
    de: 'Ein Signalstrom wurde aktiviert.',
    fr: 'Un flux de signaux a été activé.',
  },
  'signal_stream.restarted': {
    en: 'A stream of signals was enabled again.',
    de: 'Ein Signalstrom wurde wieder aktiviert.',
    fr: 'Un flux de signaux a été réactivé.',
  },
  'signal_stream.subject_removed': {
    en: 'A user was taken out of a stream of signals.',
    de: 'Ein Benutzer wurde aus einem Signalstrom genommen.',
    fr: 'Un utilisateur a été retiré d’un flux de signaux.',
  },
  'signal_stream.subject_added': {
    en: 'A user was added to a stream of signals again.',
    de: 'Ein Benutzer wurde wieder in einen Signalstrom aufgenommen.',
    fr: 'Un utilisateur a été remis dans un flux de signaux.',
  },
  'signal_stream.verification_requested': {
    en: 'A stream of signals was verified by its receiver.',
    de: 'Ein Signalstrom wurde von seinem Empfänger geprüft.',
    fr: 'Un flux de signaux a été vérifié par son destinataire.',
  },
  'signal_stream.removed': {
    en: 'A stream of signals was removed.',
    de: 'Ein Signalstrom wurde entfernt.',
    fr: 'Un flux de signaux a été supprimé.',
  },
  'trusted_transmitter.added': {
    en: 'A trusted transmitter of signals was added.',
    de: 'Ein vertrauenswürdiger Signalsender wurde hinzugefügt.',
    fr: 'Un émetteur de signaux de confiance a été ajouté.',
  },
  'trusted_transmitter.changed': {
    en: 'A trusted transmitter of signals was changed.',
    de: 'Ein vertrauenswürdiger Signalsender wurde geändert.',
    fr: 'Un émetteur de signaux de confiance a été modifié.',
  },
  'trusted_transmitter.signal_applied': {
    en: 'A signal of a trusted transmitter was applied to a user.',
    de: 'Das Signal eines vertrauenswürdigen Senders wurde auf einen Benutzer angewendet.',
    fr: 'Le signal d’un émetteur de confiance a été appliqué à un utilisateur.',
  },
  'trusted_transmitter.removed': {
    en: 'A trusted transmitter of signals was removed.',
    de: 'Ein vertrauenswürdiger Signalsender wurde entfernt.',
    fr: 'Un émetteur de signaux de confiance a été supprimé.',
  },
}
