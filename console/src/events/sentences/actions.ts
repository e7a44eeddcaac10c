/** Events about actions: their targets, and when these are called. */
import type { Texts } from '../../texts/languages.ts'

export const actionSentences: Readonly<Record<string, Texts<string>>> = {
  'target.added': {
    en: 'A target of actions was added.',
    de: 'Ein Ziel für Aktionen wurde hinzugefügt.',
    fr: 'Une cible d’actions a été ajoutée.',
  },
  'target.changed': {
    en: 'A target of actions was changed.',
    de: 'Ein Ziel für Aktionen wurde geändert.',
    fr: 'Une cible d’actions a été modifiée.',
  },
  'target.key_resealed': {
    en: 'The signing key of a target was encrypted again.',
    de: 'Der Signaturschlüssel eines Ziels wurde neu verschlüsselt.',
    fr: 'La clé de signature d’une cible a été rechiffrée.',
  },
  'target.removed': {
    en: 'A target of actions was removed.',
    de: 'Ein Ziel für Aktionen wurde entfernt.',
    fr: 'Une cible d’actions a été supprimée.',
  },
  'target.public_key_added': {
    en: 'A target got a public key.',
    de: 'Ein Ziel hat einen öffentlichen Schlüssel erhalten.',
    fr: 'Une cible a reçu une clé publique.',
  },
  'target.public_key_activated': {
    en: 'A public key of a target was activated.',
    de: 'Ein öffentlicher Schlüssel eines Ziels wurde aktiviert.',
    fr: 'Une clé publique d’une cible a été activée.',
  },
  'target.public_key_deactivated': {
    en: 'A public key of a target was deactivated.',
    de: 'Ein öffentlicher Schlüssel eines Ziels wurde deaktiviert.',
    fr: 'Une clé publique d’une cible a été désactivée.',
  },
  'target.public_key_removed': {
    en: 'A public key of a target was removed.',
    de: 'Ein öffentlicher Schlüssel eines Ziels wurde entfernt.',
    fr: 'Une clé publique d’une cible a été supprimée.',
  },
  'execution.set': {
    en: 'The targets of an action were set.',
    de: 'Die Ziele einer Aktion wurden festgelegt.',
    fr: 'Les cibles d’une action ont été définies.',
  },
  'execution.removed': {
    en: 'An action was removed.',
    de: 'Eine Aktion wurde entfernt.',
    fr: 'Une action a été supprimée.',
  },
  'execution.target_withdrawn': {
    en: 'A removed target was taken out of all actions.',
    de: 'Ein entferntes Ziel wurde aus allen Aktionen genommen.',
    fr: 'Une cible supprimée a été retirée de toutes les actions.',
  },
}
