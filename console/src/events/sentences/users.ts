/** Events about users: what they are, and what belongs to them. */
import type { Texts } from '../../texts/languages.ts'

export const usersSentences: Readonly<Record<string, Texts<string>>> = {
  'metadata.set': {
    en: 'Metadata was set.',
    de: 'Metadaten wurden gesetzt.',
    fr: 'Une métadonnée a été définie.',
  },
  'metadata.removed': {
    en: 'Metadata was removed.',
    de: 'Metadaten wurden entfernt.',
    fr: 'Une métadonnée a été supprimée.',
  },
  'identity_link.added': {
    en: 'An account at an identity provider was linked.',
    de: 'Ein Konto bei einem Identitätsanbieter wurde verknüpft.',
    fr: 'Un compte chez un fournisseur d’identité a été lié.',
  },
  'identity_link.proposed': {
    en: 'A link to an account at an identity provider was proposed.',
    de: 'Die Verknüpfung mit einem Konto bei einem Identitätsanbieter wurde vorgeschlagen.',
    fr: 'Un lien avec un compte chez un fournisseur d’identité a été proposé.',
  },
  'identity_link.removed': {
    en: 'A linked account was removed.',
    de: 'Ein verknüpftes Konto wurde entfernt.',
    fr: 'Un compte lié a été supprimé.',
  },
  'verification.issued': {
    en: 'A code was created to verify something.',
    de: 'Ein Code zur Bestätigung wurde erstellt.',
    fr: 'Un code de vérification a été créé.',
  },
  'verification.used': {
    en: 'The code was used.',
    de: 'Der Code wurde verwendet.',
    fr: 'Le code a été utilisé.',
  },
  'verification.cancelled': {
    en: 'The code was cancelled.',
    de: 'Der Code wurde zurückgezogen.',
    fr: 'Le code a été annulé.',
  },
  'verification.removed': {
    en: 'The code was removed.',
    de: 'Der Code wurde entfernt.',
    fr: 'Le code a été supprimé.',
  },
  'verification.added': {
    en: 'A code was created to verify something.',
    de: 'Ein Code zur Bestätigung wurde erstellt.',
    fr: 'Un code de vérification a été créé.',
  },
  'verification.code_used': {
    en: 'The code was used.',
    de: 'Der Code wurde verwendet.',
    fr: 'Le code a été utilisé.',
  },
  'user.human_added': {
    en: 'The person was created.',
    de: 'Die Person wurde erstellt.',
    fr: 'La personne a été créée.',
  },
  'user.machine_added': {
    en: 'The machine was created.',
    de: 'Die Maschine wurde erstellt.',
    fr: 'La machine a été créée.',
  },
  'user.machine_changed': {
    en: 'The machine was changed.',
    de: 'Die Maschine wurde geändert.',
    fr: 'La machine a été modifiée.',
  },
  'user.machine_secret_set': {
    en: 'A client secret was generated.',
    de: 'Ein Client-Secret wurde erzeugt.',
    fr: 'Un secret client a été généré.',
  },
  'user.machine_secret_removed': {
    en: 'The client secret was removed.',
    de: 'Das Client-Secret wurde entfernt.',
    fr: 'Le secret client a été supprimé.',
  },
  'user.username_changed': {
    en: 'The username was changed.',
    de: 'Der Benutzername wurde geändert.',
    fr: 'Le nom d’utilisateur a été changé.',
  },
  'user.profile_changed': {
    en: 'The profile was changed.',
    de: 'Das Profil wurde geändert.',
    fr: 'Le profil a été modifié.',
  },
  'user.email_changed': {
    en: 'The email address was changed.',
    de: 'Die E-Mail-Adresse wurde geändert.',
    fr: 'L’adresse e-mail a été changée.',
  },
  'user.email_verified': {
    en: 'The email address was verified.',
    de: 'Die E-Mail-Adresse wurde bestätigt.',
    fr: 'L’adresse e-mail a été vérifiée.',
  },
  'user.phone_changed': {
    en: 'The phone number was changed.',
    de: 'Die Telefonnummer wurde geändert.',
    fr: 'Le numéro de téléphone a été changé.',
  },
  'user.phone_verified': {
    en: 'The phone number was verified.',
    de: 'Die Telefonnummer wurde bestätigt.',
    fr: 'Le numéro de téléphone a été vérifié.',
  },
  'user.phone_removed': {
    en: 'The phone number was removed.',
    de: 'Die Telefonnummer wurde entfernt.',
    fr: 'Le numéro de téléphone a été supprimé.',
  },
  'user.invited': {
    en: 'The user was invited.',
    de: 'Der Benutzer wurde eingeladen.',
    fr: 'L’utilisateur a été invité.',
  },
  'user.invitation_accepted': {
    en: 'The invitation was accepted.',
    de: 'Die Einladung wurde angenommen.',
    fr: 'L’invitation a été acceptée.',
  },
  'user.set_up_finished': {
    en: 'The account was set up.',
    de: 'Das Konto wurde eingerichtet.',
    fr: 'Le compte a été configuré.',
  },
  'user.deactivated': {
    en: 'The user was deactivated.',
    de: 'Der Benutzer wurde deaktiviert.',
    fr: 'L’utilisateur a été désactivé.',
  },
  'user.reactivated': {
    en: 'The user was reactivated.',
    de: 'Der Benutzer wurde reaktiviert.',
    fr: 'L’utilisateur a été réactivé.',
  },
  'user.locked': {
    en: 'The user was locked.',
    de: 'Der Benutzer wurde gesperrt.',
    fr: 'L’utilisateur a été verrouillé.',
  },
  'user.unlocked': {
    en: 'The user was unlocked.',
    de: 'Der Benutzer wurde entsperrt.',
    fr: 'L’utilisateur a été déverrouillé.',
  },
  'user.removed': {
    en: 'The user was removed.',
    de: 'Der Benutzer wurde entfernt.',
    fr: 'L’utilisateur a été supprimé.',
  },
  'user.mfa_init_skipped': {
    en: 'The set-up of a second factor was skipped.',
    de: 'Die Einrichtung eines zweiten Faktors wurde übersprungen.',
    fr: 'La configuration d’un second facteur a été ignorée.',
  },
  'user.avatar_set': {
    en: 'The profile picture was changed.',
    de: 'Das Profilbild wurde geändert.',
    fr: 'La photo de profil a été modifiée.',
  },
  'user.avatar_removed': {
    en: 'The profile picture was removed.',
    de: 'Das Profilbild wurde entfernt.',
    fr: 'La photo de profil a été supprimée.',
  },
  'user.deletion_requested': {
    en: 'The user asked to delete their account.',
    de: 'Der Benutzer hat die Löschung seines Kontos verlangt.',
    fr: 'L’utilisateur a demandé la suppression de son compte.',
  },
  'user.deletion_cancelled': {
    en: 'The deletion of the account was cancelled.',
    de: 'Die Löschung des Kontos wurde abgebrochen.',
    fr: 'La suppression du compte a été annulée.',
  },
  'user.managed': {
    en: 'A directory manages the user from now on.',
    de: 'Ein Verzeichnis verwaltet den Benutzer von jetzt an.',
    fr: 'Un annuaire gère désormais l’utilisateur.',
  },
  'user.released': {
    en: 'The user was detached from the directory.',
    de: 'Der Benutzer wurde vom Verzeichnis gelöst.',
    fr: 'L’utilisateur a été détaché de l’annuaire.',
  },
  'personal_access_token.added': {
    en: 'A personal access token was added.',
    de: 'Ein persönliches Zugriffstoken wurde hinzugefügt.',
    fr: 'Un jeton d’accès personnel a été ajouté.',
  },
  'personal_access_token.imported': {
    en: 'A personal access token was brought from another product.',
    de: 'Ein persönliches Zugriffstoken wurde aus einem anderen Produkt übernommen.',
    fr: 'Un jeton d’accès personnel a été repris d’un autre produit.',
  },
  'token_key.imported': {
    en: 'The key that recognizes tokens of another product was brought here.',
    de: 'Der Schlüssel, der Token eines anderen Produkts erkennt, wurde übernommen.',
    fr: 'La clé qui reconnaît les jetons d’un autre produit a été reprise.',
  },
  'token_key.resealed': {
    en: 'The key that recognizes tokens of another product was encrypted again.',
    de: 'Der Schlüssel, der Token eines anderen Produkts erkennt, wurde neu verschlüsselt.',
    fr: 'La clé qui reconnaît les jetons d’un autre produit a été rechiffrée.',
  },
  'personal_access_token.removed': {
    en: 'A personal access token was removed.',
    de: 'Ein persönliches Zugriffstoken wurde entfernt.',
    fr: 'Un jeton d’accès personnel a été supprimé.',
  },
  'personal_access_token.used': {
    en: 'A personal access token was used. This is noted once a day at most.',
    de: 'Ein persönliches Zugriffstoken wurde verwendet. Das wird höchstens einmal am Tag festgehalten.',
    fr: 'Un jeton d’accès personnel a été utilisé. Ce n’est noté qu’une fois par jour au plus.',
  },
  'machine_key.added': {
    en: 'A key of a machine was added.',
    de: 'Ein Schlüssel einer Maschine wurde hinzugefügt.',
    fr: 'Une clé d’une machine a été ajoutée.',
  },
  'machine_key.used': {
    en: 'A key of a machine was used. This is noted once a day at most.',
    de: 'Ein Schlüssel einer Maschine wurde verwendet. Das wird höchstens einmal am Tag festgehalten.',
    fr: 'Une clé d’une machine a été utilisée. Ce n’est noté qu’une fois par jour au plus.',
  },
  'machine_key.removed': {
    en: 'A key of a machine was removed.',
    de: 'Ein Schlüssel einer Maschine wurde entfernt.',
    fr: 'Une clé d’une machine a été supprimée.',
  },
  'machine_secret.set': {
    en: 'The secret of a machine was set.',
    de: 'Das Secret einer Maschine wurde gesetzt.',
    fr: 'Le secret d’une machine a été défini.',
  },
  'machine_secret.rehashed': {
    en: 'The imported hash of a machine’s secret was replaced by one of this server.',
    de: 'Der übernommene Hash des Secrets einer Maschine wurde durch einen dieses Servers ersetzt.',
    fr: 'L’empreinte importée du secret d’une machine a été remplacée par celle de ce serveur.',
  },
  'machine_secret.removed': {
    en: 'The secret of a machine was removed.',
    de: 'Das Secret einer Maschine wurde entfernt.',
    fr: 'Le secret d’une machine a été supprimé.',
  },
  'notices.sent': {
    en: 'The user was notified of a change.',
    de: 'Der Benutzer wurde über eine Änderung informiert.',
    fr: 'L’utilisateur a été informé d’une modification.',
  },
  'notices.removed': {
    en: 'The record of notices to the user was removed.',
    de: 'Die Aufzeichnung der Mitteilungen an den Benutzer wurde entfernt.',
    fr: 'L’historique des notifications de l’utilisateur a été supprimé.',
  },
}
