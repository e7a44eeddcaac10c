/** Events about settings, branding, messages and identity providers. */
import type { Texts } from '../../texts/languages.ts'

export const settingsSentences: Readonly<Record<string, Texts<string>>> = {
  'settings.password_complexity_set': {
    en: 'The rules for passwords were changed.',
    de: 'Die Regeln für Passwörter wurden geändert.',
    fr: 'Les règles des mots de passe ont été modifiées.',
  },
  'settings.password_complexity_reset': {
    en: 'The rules for passwords were reset.',
    de: 'Die Regeln für Passwörter wurden zurückgesetzt.',
    fr: 'Les règles des mots de passe ont été réinitialisées.',
  },
  'settings.lockout_set': {
    en: 'The lockout settings were changed.',
    de: 'Die Sperreinstellungen wurden geändert.',
    fr: 'Les paramètres de verrouillage ont été modifiés.',
  },
  'settings.lockout_reset': {
    en: 'The lockout settings were reset.',
    de: 'Die Sperreinstellungen wurden zurückgesetzt.',
    fr: 'Les paramètres de verrouillage ont été réinitialisés.',
  },
  'settings.login_set': {
    en: 'The sign-in settings were changed.',
    de: 'Die Anmeldeeinstellungen wurden geändert.',
    fr: 'Les paramètres de connexion ont été modifiés.',
  },
  'settings.login_reset': {
    en: 'The sign-in settings were reset.',
    de: 'Die Anmeldeeinstellungen wurden zurückgesetzt.',
    fr: 'Les paramètres de connexion ont été réinitialisés.',
  },
  'settings.identity_provider_offered': {
    en: 'An identity provider was offered at sign-in.',
    de: 'Ein Identitätsanbieter wurde für die Anmeldung angeboten.',
    fr: 'Un fournisseur d’identité a été proposé à la connexion.',
  },
  'settings.identity_provider_withheld': {
    en: 'An identity provider was no longer offered at sign-in.',
    de: 'Ein Identitätsanbieter wurde nicht mehr für die Anmeldung angeboten.',
    fr: 'Un fournisseur d’identité n’a plus été proposé à la connexion.',
  },
  'settings.identity_provider_forgotten': {
    en: 'A removed identity provider was deleted from the sign-in settings.',
    de: 'Ein entfernter Identitätsanbieter wurde aus den Anmeldeeinstellungen gelöscht.',
    fr: 'Un fournisseur d’identité supprimé a été retiré des paramètres de connexion.',
  },
  'settings.organization_set': {
    en: 'The rules for usernames were changed.',
    de: 'Die Regeln für Benutzernamen wurden geändert.',
    fr: 'Les règles des noms d’utilisateur ont été modifiées.',
  },
  'settings.organization_reset': {
    en: 'The rules for usernames were reset.',
    de: 'Die Regeln für Benutzernamen wurden zurückgesetzt.',
    fr: 'Les règles des noms d’utilisateur ont été réinitialisées.',
  },
  'settings.default_language_set': {
    en: 'The default language was changed.',
    de: 'Die Standardsprache wurde geändert.',
    fr: 'La langue par défaut a été modifiée.',
  },
  'settings.reach_set': {
    en: 'Settings of an organization now count only for users who hold no more roles than whoever saved them.',
    de: 'Einstellungen einer Organisation gelten nun nur noch für Benutzer, deren Rollen von denen abgedeckt sind, die sie gespeichert haben.',
    fr: 'Des paramètres d’une organisation ne valent désormais que pour les utilisateurs dont les rôles sont couverts par ceux de la personne qui les a enregistrés.',
  },
  'settings.removed': {
    en: 'The settings of an organization were removed.',
    de: 'Die Einstellungen einer Organisation wurden entfernt.',
    fr: 'Les paramètres d’une organisation ont été supprimés.',
  },
  'settings.security_set': {
    en: 'The security settings were changed.',
    de: 'Die Sicherheitseinstellungen wurden geändert.',
    fr: 'Les paramètres de sécurité ont été modifiés.',
  },
  'settings.branding_drafted': {
    en: 'A draft of the branding was saved.',
    de: 'Ein Entwurf des Erscheinungsbilds wurde gespeichert.',
    fr: 'Un brouillon de l’apparence a été enregistré.',
  },
  'settings.branding_activated': {
    en: 'The branding was activated.',
    de: 'Das Erscheinungsbild wurde aktiviert.',
    fr: 'L’apparence a été activée.',
  },
  'settings.branding_reset': {
    en: 'The branding was reset.',
    de: 'Das Erscheinungsbild wurde zurückgesetzt.',
    fr: 'L’apparence a été réinitialisée.',
  },
  'settings.branding_asset_drafted': {
    en: 'A logo, icon or font was added to the draft of the branding.',
    de: 'Ein Logo, Symbol oder eine Schrift wurde in den Entwurf des Erscheinungsbilds aufgenommen.',
    fr: 'Un logo, une icône ou une police a été ajouté au brouillon de l’apparence.',
  },
  'settings.branding_asset_withdrawn': {
    en: 'A logo, icon or font was removed from the draft of the branding.',
    de: 'Ein Logo, Symbol oder eine Schrift wurde aus dem Entwurf des Erscheinungsbilds entfernt.',
    fr: 'Un logo, une icône ou une police a été retiré du brouillon de l’apparence.',
  },
  'settings.legal_set': {
    en: 'The links to legal documents were changed.',
    de: 'Die Links zu rechtlichen Dokumenten wurden geändert.',
    fr: 'Les liens vers les documents juridiques ont été modifiés.',
  },
  'settings.legal_reset': {
    en: 'The links to legal documents were reset.',
    de: 'Die Links zu rechtlichen Dokumenten wurden zurückgesetzt.',
    fr: 'Les liens vers les documents juridiques ont été réinitialisés.',
  },
  'settings.password_expiry_set': {
    en: 'The expiry of passwords was changed.',
    de: 'Der Ablauf von Passwörtern wurde geändert.',
    fr: 'L’expiration des mots de passe a été modifiée.',
  },
  'settings.password_expiry_reset': {
    en: 'The expiry of passwords was reset.',
    de: 'Der Ablauf von Passwörtern wurde zurückgesetzt.',
    fr: 'L’expiration des mots de passe a été réinitialisée.',
  },
  'settings.features_set': {
    en: 'Features were switched on or off.',
    de: 'Funktionen wurden ein- oder ausgeschaltet.',
    fr: 'Des fonctionnalités ont été activées ou désactivées.',
  },
  'settings.features_reset': {
    en: 'The features were reset.',
    de: 'Die Funktionen wurden zurückgesetzt.',
    fr: 'Les fonctionnalités ont été réinitialisées.',
  },
  'settings.oidc_set': {
    en: 'The token lifetimes were changed.',
    de: 'Die Laufzeiten der Token wurden geändert.',
    fr: 'Les durées de vie des jetons ont été modifiées.',
  },
  'login_translation.set': {
    en: 'The texts of the sign-in pages were changed.',
    de: 'Die Texte der Anmeldeseiten wurden geändert.',
    fr: 'Les textes des pages de connexion ont été modifiés.',
  },
  'login_translation.removed': {
    en: 'The texts of the sign-in pages were reset.',
    de: 'Die Texte der Anmeldeseiten wurden zurückgesetzt.',
    fr: 'Les textes des pages de connexion ont été réinitialisés.',
  },
  'page_texts.set': {
    en: 'Texts of the hosted pages were changed.',
    de: 'Texte der Seiten für die Anmeldung wurden geändert.',
    fr: 'Des textes des pages hébergées ont été modifiés.',
  },
  'page_texts.reset': {
    en: 'Texts of the hosted pages were reset.',
    de: 'Texte der Seiten für die Anmeldung wurden zurückgesetzt.',
    fr: 'Des textes des pages hébergées ont été réinitialisés.',
  },
  'smtp_config.added': {
    en: 'A mail server was added.',
    de: 'Ein Mailserver wurde hinzugefügt.',
    fr: 'Un serveur de messagerie a été ajouté.',
  },
  'smtp_config.changed': {
    en: 'The mail server was changed.',
    de: 'Der Mailserver wurde geändert.',
    fr: 'Le serveur de messagerie a été modifié.',
  },
  'smtp_config.password_changed': {
    en: 'The password of the mail server was changed.',
    de: 'Das Passwort des Mailservers wurde geändert.',
    fr: 'Le mot de passe du serveur de messagerie a été modifié.',
  },
  'smtp_config.password_resealed': {
    en: 'The password of the mail server was encrypted again.',
    de: 'Das Passwort des Mailservers wurde neu verschlüsselt.',
    fr: 'Le mot de passe du serveur de messagerie a été rechiffré.',
  },
  'smtp_config.activated': {
    en: 'The mail server was activated.',
    de: 'Der Mailserver wurde aktiviert.',
    fr: 'Le serveur de messagerie a été activé.',
  },
  'smtp_config.deactivated': {
    en: 'The mail server was deactivated.',
    de: 'Der Mailserver wurde deaktiviert.',
    fr: 'Le serveur de messagerie a été désactivé.',
  },
  'smtp_config.removed': {
    en: 'The mail server was removed.',
    de: 'Der Mailserver wurde entfernt.',
    fr: 'Le serveur de messagerie a été supprimé.',
  },
  'message_text.set': {
    en: 'The text of a message was changed.',
    de: 'Der Text einer Nachricht wurde geändert.',
    fr: 'Le texte d’un message a été modifié.',
  },
  'message_text.reset': {
    en: 'The text of a message was reset.',
    de: 'Der Text einer Nachricht wurde zurückgesetzt.',
    fr: 'Le texte d’un message a été réinitialisé.',
  },
  'inbox_mail.delivered': {
    en: 'An email was put into the development inbox.',
    de: 'Eine E-Mail wurde in den Entwicklungs-Posteingang gelegt.',
    fr: 'Un e-mail a été déposé dans la boîte de développement.',
  },
  'inbox_mail.resealed': {
    en: 'An email in the development inbox was encrypted again.',
    de: 'Eine E-Mail im Entwicklungs-Posteingang wurde neu verschlüsselt.',
    fr: 'Un e-mail de la boîte de développement a été rechiffré.',
  },
  'inbox_mail.removed': {
    en: 'An email was removed from the development inbox.',
    de: 'Eine E-Mail wurde aus dem Entwicklungs-Posteingang entfernt.',
    fr: 'Un e-mail a été supprimé de la boîte de développement.',
  },
  'email_webhook.added': {
    en: 'A webhook for emails was added.',
    de: 'Ein Webhook für E-Mails wurde hinzugefügt.',
    fr: 'Un webhook pour les e-mails a été ajouté.',
  },
  'email_webhook.changed': {
    en: 'A webhook for emails was changed.',
    de: 'Ein Webhook für E-Mails wurde geändert.',
    fr: 'Un webhook pour les e-mails a été modifié.',
  },
  'email_webhook.key_resealed': {
    en: 'The key of a webhook for emails was encrypted again.',
    de: 'Der Schlüssel eines Webhooks für E-Mails wurde neu verschlüsselt.',
    fr: 'La clé d’un webhook pour les e-mails a été rechiffrée.',
  },
  'email_webhook.activated': {
    en: 'A webhook for emails was activated.',
    de: 'Ein Webhook für E-Mails wurde aktiviert.',
    fr: 'Un webhook pour les e-mails a été activé.',
  },
  'email_webhook.deactivated': {
    en: 'A webhook for emails was deactivated.',
    de: 'Ein Webhook für E-Mails wurde deaktiviert.',
    fr: 'Un webhook pour les e-mails a été désactivé.',
  },
  'email_webhook.removed': {
    en: 'A webhook for emails was removed.',
    de: 'Ein Webhook für E-Mails wurde entfernt.',
    fr: 'Un webhook pour les e-mails a été supprimé.',
  },
  'sms_provider.twilio_added': {
    en: 'A Twilio account was added.',
    de: 'Ein Twilio-Konto wurde hinzugefügt.',
    fr: 'Un compte Twilio a été ajouté.',
  },
  'sms_provider.twilio_changed': {
    en: 'A Twilio account was changed.',
    de: 'Ein Twilio-Konto wurde geändert.',
    fr: 'Un compte Twilio a été modifié.',
  },
  'sms_provider.token_changed': {
    en: 'The token of a Twilio account was changed.',
    de: 'Das Token eines Twilio-Kontos wurde geändert.',
    fr: 'Le jeton d’un compte Twilio a été modifié.',
  },
  'sms_provider.token_resealed': {
    en: 'The token of a Twilio account was encrypted again.',
    de: 'Das Token eines Twilio-Kontos wurde neu verschlüsselt.',
    fr: 'Le jeton d’un compte Twilio a été rechiffré.',
  },
  'sms_provider.added': {
    en: 'An SMS provider was added.',
    de: 'Ein SMS-Anbieter wurde hinzugefügt.',
    fr: 'Un fournisseur de SMS a été ajouté.',
  },
  'sms_provider.changed': {
    en: 'An SMS provider was changed.',
    de: 'Ein SMS-Anbieter wurde geändert.',
    fr: 'Un fournisseur de SMS a été modifié.',
  },
  'sms_provider.key_resealed': {
    en: 'The key of an SMS provider was encrypted again.',
    de: 'Der Schlüssel eines SMS-Anbieters wurde neu verschlüsselt.',
    fr: 'La clé d’un fournisseur de SMS a été rechiffrée.',
  },
  'sms_provider.activated': {
    en: 'An SMS provider was activated.',
    de: 'Ein SMS-Anbieter wurde aktiviert.',
    fr: 'Un fournisseur de SMS a été activé.',
  },
  'sms_provider.deactivated': {
    en: 'An SMS provider was deactivated.',
    de: 'Ein SMS-Anbieter wurde deaktiviert.',
    fr: 'Un fournisseur de SMS a été désactivé.',
  },
  'sms_provider.removed': {
    en: 'An SMS provider was removed.',
    de: 'Ein SMS-Anbieter wurde entfernt.',
    fr: 'Un fournisseur de SMS a été supprimé.',
  },
  'webhook.added': {
    en: 'A webhook was added.',
    de: 'Ein Webhook wurde hinzugefügt.',
    fr: 'Un webhook a été ajouté.',
  },
  'webhook.changed': {
    en: 'A webhook was changed.',
    de: 'Ein Webhook wurde geändert.',
    fr: 'Un webhook a été modifié.',
  },
  'webhook.secret_rotated': {
    en: 'A webhook got a new secret.',
    de: 'Ein Webhook hat ein neues Secret bekommen.',
    fr: 'Un webhook a reçu un nouveau secret.',
  },
  'webhook.secret_resealed': {
    en: 'The secret of a webhook was encrypted again.',
    de: 'Das Secret eines Webhooks wurde neu verschlüsselt.',
    fr: 'Le secret d’un webhook a été rechiffré.',
  },
  'webhook.paused': {
    en: 'A webhook was paused.',
    de: 'Ein Webhook wurde angehalten.',
    fr: 'Un webhook a été mis en pause.',
  },
  'webhook.resumed': {
    en: 'A webhook was resumed.',
    de: 'Ein Webhook wurde fortgesetzt.',
    fr: 'Un webhook a été repris.',
  },
  'webhook.switched_off': {
    en: 'A webhook was switched off because its endpoint is gone.',
    de: 'Ein Webhook wurde abgeschaltet, weil es seinen Endpunkt nicht mehr gibt.',
    fr: 'Un webhook a été désactivé, car son point de terminaison n’existe plus.',
  },
  'webhook.removed': {
    en: 'A webhook was removed.',
    de: 'Ein Webhook wurde entfernt.',
    fr: 'Un webhook a été supprimé.',
  },
  'identity_provider.added': {
    en: 'An identity provider was added.',
    de: 'Ein Identitätsanbieter wurde hinzugefügt.',
    fr: 'Un fournisseur d’identité a été ajouté.',
  },
  'identity_provider.changed': {
    en: 'An identity provider was changed.',
    de: 'Ein Identitätsanbieter wurde geändert.',
    fr: 'Un fournisseur d’identité a été modifié.',
  },
  'identity_provider.migrated': {
    en: 'A generic identity provider became one of a built-in type.',
    de: 'Ein allgemeiner Identitätsanbieter wurde zu einem mit eingebautem Typ.',
    fr: 'Un fournisseur d’identité générique est devenu d’un type intégré.',
  },
  'identity_provider.secret_replaced': {
    en: 'The secret of an identity provider was replaced.',
    de: 'Das Secret eines Identitätsanbieters wurde ersetzt.',
    fr: 'Le secret d’un fournisseur d’identité a été remplacé.',
  },
  'identity_provider.accounts_replaced': {
    en: 'An identity provider was moved to another server: its earlier links no longer count.',
    de: 'Ein Identitätsanbieter ist nun ein anderer Server: Frühere Verknüpfungen gelten nicht mehr.',
    fr: 'Un fournisseur d’identité a changé de serveur : les liens antérieurs ne sont plus valables.',
  },
  'identity_provider.reach_set': {
    en: 'An identity provider now signs in only users who hold no more roles than whoever saved it.',
    de: 'Ein Identitätsanbieter meldet nun nur noch Benutzer an, deren Rollen von denen abgedeckt sind, die ihn gespeichert haben.',
    fr: 'Un fournisseur d’identité ne connecte désormais que les utilisateurs dont les rôles sont couverts par ceux de la personne qui l’a enregistré.',
  },
  'identity_provider.deactivated': {
    en: 'An identity provider was deactivated.',
    de: 'Ein Identitätsanbieter wurde deaktiviert.',
    fr: 'Un fournisseur d’identité a été désactivé.',
  },
  'identity_provider.reactivated': {
    en: 'An identity provider was reactivated.',
    de: 'Ein Identitätsanbieter wurde reaktiviert.',
    fr: 'Un fournisseur d’identité a été réactivé.',
  },
  'identity_provider.removed': {
    en: 'An identity provider was removed.',
    de: 'Ein Identitätsanbieter wurde entfernt.',
    fr: 'Un fournisseur d’identité a été supprimé.',
  },
  'identity_provider_secret.set': {
    en: 'The secret of an identity provider was set.',
    de: 'Das Secret eines Identitätsanbieters wurde gesetzt.',
    fr: 'Le secret d’un fournisseur d’identité a été défini.',
  },
  'identity_provider_secret.resealed': {
    en: 'The secret of an identity provider was encrypted again.',
    de: 'Das Secret eines Identitätsanbieters wurde neu verschlüsselt.',
    fr: 'Le secret d’un fournisseur d’identité a été rechiffré.',
  },
  'identity_provider_secret.removed': {
    en: 'The secret of an identity provider was removed.',
    de: 'Das Secret eines Identitätsanbieters wurde entfernt.',
    fr: 'Le secret d’un fournisseur d’identité a été supprimé.',
  },
}
