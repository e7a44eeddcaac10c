/** Events about the server itself: its nodes, keys, set-up and files. */
import type { Texts } from '../../texts/languages.ts'

export const serverSentences: Readonly<Record<string, Texts<string>>> = {
  'object.imported': {
    en: 'The object was brought from another product, with its dates.',
    de: 'Das Objekt wurde aus einem anderen Produkt übernommen, mit seinen Daten.',
    fr: 'L’objet a été repris d’un autre produit, avec ses dates.',
  },
  'import_mark.set': {
    en: 'Another product was read up to here.',
    de: 'Ein anderes Produkt wurde bis hierher gelesen.',
    fr: 'Un autre produit a été lu jusqu’ici.',
  },
  'import_problem.noted': {
    en: 'A change in the other product could not be taken over.',
    de: 'Eine Änderung im anderen Produkt konnte nicht übernommen werden.',
    fr: 'Une modification de l’autre produit n’a pas pu être reprise.',
  },
  'import_problem.solved': {
    en: 'The object is as it is in the other product again.',
    de: 'Das Objekt ist wieder so, wie es im anderen Produkt ist.',
    fr: 'L’objet est de nouveau tel qu’il est dans l’autre produit.',
  },
  'node_lease.taken': {
    en: 'A server process took a node number.',
    de: 'Ein Serverprozess hat eine Knotennummer belegt.',
    fr: 'Un processus serveur a pris un numéro de nœud.',
  },
  'node_lease.renewed': {
    en: 'A server process renewed its node number.',
    de: 'Ein Serverprozess hat seine Knotennummer verlängert.',
    fr: 'Un processus serveur a renouvelé son numéro de nœud.',
  },
  'node_lease.released': {
    en: 'A server process released its node number.',
    de: 'Ein Serverprozess hat seine Knotennummer freigegeben.',
    fr: 'Un processus serveur a libéré son numéro de nœud.',
  },
  'instance.created': {
    en: 'The server was set up.',
    de: 'Der Server wurde eingerichtet.',
    fr: 'Le serveur a été configuré.',
  },
  'instance.renamed': {
    en: 'The instance got another name.',
    de: 'Die Instanz erhielt einen anderen Namen.',
    fr: 'L’instance a reçu un autre nom.',
  },
  'instance.default_organization_set': {
    en: 'Another organization became the default one.',
    de: 'Eine andere Organisation wurde zur Standardorganisation.',
    fr: 'Une autre organisation est devenue l’organisation par défaut.',
  },
  'instance.api_project_set': {
    en: 'The project of the server’s own API was set.',
    de: 'Das Projekt der servereigenen API wurde festgelegt.',
    fr: 'Le projet de l’API du serveur a été défini.',
  },
  'key_ring.key_added': {
    en: 'An encryption key was added.',
    de: 'Ein Verschlüsselungsschlüssel wurde hinzugefügt.',
    fr: 'Une clé de chiffrement a été ajoutée.',
  },
  'key_ring.key_removed': {
    en: 'An encryption key was removed.',
    de: 'Ein Verschlüsselungsschlüssel wurde entfernt.',
    fr: 'Une clé de chiffrement a été supprimée.',
  },
  'setup_code.issued': {
    en: 'A set-up code was created.',
    de: 'Ein Einrichtungscode wurde erstellt.',
    fr: 'Un code de configuration a été créé.',
  },
  'setup_code.recovery_issued': {
    en: 'A recovery code was created for an administrator.',
    de: 'Ein Wiederherstellungscode für einen Administrator wurde erstellt.',
    fr: 'Un code de récupération a été créé pour un administrateur.',
  },
  'setup_code.used': {
    en: 'The set-up code was used.',
    de: 'Der Einrichtungscode wurde verwendet.',
    fr: 'Le code de configuration a été utilisé.',
  },
  'asset.stored': {
    en: 'A file was uploaded.',
    de: 'Eine Datei wurde hochgeladen.',
    fr: 'Un fichier a été téléversé.',
  },
  'web_key.added': {
    en: 'A key for tokens was added.',
    de: 'Ein Schlüssel für Token wurde hinzugefügt.',
    fr: 'Une clé pour les jetons a été ajoutée.',
  },
  'web_key.activated': {
    en: 'A key for tokens was activated.',
    de: 'Ein Schlüssel für Token wurde aktiviert.',
    fr: 'Une clé pour les jetons a été activée.',
  },
  'web_key.imported': {
    en: 'A web key of another product was published, to verify its tokens.',
    de: 'Ein Web-Schlüssel eines anderen Produkts wurde veröffentlicht, um dessen Token zu prüfen.',
    fr: 'Une clé web d’un autre produit a été publiée pour vérifier ses jetons.',
  },
  'web_key.removed': {
    en: 'A key for tokens was removed.',
    de: 'Ein Schlüssel für Token wurde entfernt.',
    fr: 'Une clé pour les jetons a été supprimée.',
  },
  'web_key.resealed': {
    en: 'A key for tokens was encrypted again.',
    de: 'Ein Schlüssel für Token wurde neu verschlüsselt.',
    fr: 'Une clé pour les jetons a été rechiffrée.',
  },
  'web_key.rotation_requested': {
    en: 'The replacement of the key for tokens was requested.',
    de: 'Der Ersatz des Schlüssels für Token wurde verlangt.',
    fr: 'Le remplacement de la clé pour les jetons a été demandé.',
  },
  'saml_key.added': {
    en: 'A certificate for SAML was added.',
    de: 'Ein Zertifikat für SAML wurde hinzugefügt.',
    fr: 'Un certificat pour SAML a été ajouté.',
  },
  'saml_key.activated': {
    en: 'A certificate for SAML was activated.',
    de: 'Ein Zertifikat für SAML wurde aktiviert.',
    fr: 'Un certificat pour SAML a été activé.',
  },
  'saml_key.removed': {
    en: 'A certificate for SAML was removed.',
    de: 'Ein Zertifikat für SAML wurde entfernt.',
    fr: 'Un certificat pour SAML a été supprimé.',
  },
  'saml_key.resealed': {
    en: 'A key for SAML was encrypted again.',
    de: 'Ein Schlüssel für SAML wurde neu verschlüsselt.',
    fr: 'Une clé pour SAML a été rechiffrée.',
  },
  'settings.notifications_set': {
    en: 'The notification policy was changed.',
    de: 'Die Benachrichtigungsrichtlinie wurde geändert.',
    fr: 'La politique de notification a été modifiée.',
  },
  'settings.notifications_reset': {
    en: 'The notification policy was reset.',
    de: 'Die Benachrichtigungsrichtlinie wurde zurückgesetzt.',
    fr: 'La politique de notification a été réinitialisée.',
  },
  'settings.languages_allowed': {
    en: 'The allowed languages were changed.',
    de: 'Die erlaubten Sprachen wurden geändert.',
    fr: 'Les langues autorisées ont été modifiées.',
  },
  'settings.generator_set': {
    en: 'The generator of codes was changed.',
    de: 'Der Generator der Codes wurde geändert.',
    fr: 'Le générateur de codes a été modifié.',
  },
}
