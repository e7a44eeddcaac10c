/** Events about sign-in: passwords, passkeys, codes and sessions. */
import type { Texts } from '../../texts/languages.ts'

export const signInSentences: Readonly<Record<string, Texts<string>>> = {
  'attempts.failed': {
    en: 'A wrong password or code was entered.',
    de: 'Ein falsches Passwort oder ein falscher Code wurde eingegeben.',
    fr: 'Un mot de passe ou un code incorrect a été saisi.',
  },
  'attempts.cleared': {
    en: 'All counts of wrong entries were reset.',
    de: 'Alle Zählungen falscher Eingaben wurden zurückgesetzt.',
    fr: 'Tous les compteurs de saisies incorrectes ont été remis à zéro.',
  },
  'attempts.factor_cleared': {
    en: 'The count of wrong entries was reset.',
    de: 'Die Zählung falscher Eingaben wurde zurückgesetzt.',
    fr: 'Le compteur de saisies incorrectes a été remis à zéro.',
  },
  'attempts.factor_locked': {
    en: 'Too many wrong entries: the sign-in was paused.',
    de: 'Zu viele falsche Eingaben: Die Anmeldung wurde pausiert.',
    fr: 'Trop de saisies incorrectes : la connexion a été suspendue.',
  },
  'attempts.removed': {
    en: 'The count of wrong entries was removed.',
    de: 'Die Zählung falscher Eingaben wurde entfernt.',
    fr: 'Le compteur de saisies incorrectes a été supprimé.',
  },
  'password.set': {
    en: 'The password was set.',
    de: 'Das Passwort wurde gesetzt.',
    fr: 'Le mot de passe a été défini.',
  },
  'password.rehashed': {
    en: 'The password was stored with a better method.',
    de: 'Das Passwort wurde mit einem besseren Verfahren gespeichert.',
    fr: 'Le mot de passe a été enregistré avec une meilleure méthode.',
  },
  'password.slow_hash_found': {
    en: 'The imported password takes long to check.',
    de: 'Das importierte Passwort braucht lange zur Prüfung.',
    fr: 'Le mot de passe importé est long à vérifier.',
  },
  'password.removed': {
    en: 'The password was removed.',
    de: 'Das Passwort wurde entfernt.',
    fr: 'Le mot de passe a été supprimé.',
  },
  'passkey.registered': {
    en: 'A passkey was registered.',
    de: 'Ein Passkey wurde registriert.',
    fr: 'Une clé d’accès a été enregistrée.',
  },
  'passkey.imported': {
    en: 'A passkey was brought from another product.',
    de: 'Ein Passkey wurde aus einem anderen Produkt übernommen.',
    fr: 'Une clé d’accès a été reprise d’un autre produit.',
  },
  'passkey.renamed': {
    en: 'A passkey was renamed.',
    de: 'Ein Passkey wurde umbenannt.',
    fr: 'Une clé d’accès a été renommée.',
  },
  'passkey.used': {
    en: 'A passkey was used.',
    de: 'Ein Passkey wurde verwendet.',
    fr: 'Une clé d’accès a été utilisée.',
  },
  'passkey.removed': {
    en: 'A passkey was removed.',
    de: 'Ein Passkey wurde entfernt.',
    fr: 'Une clé d’accès a été supprimée.',
  },
  'passkey_registration.started': {
    en: 'The registration of a passkey was started.',
    de: 'Die Registrierung eines Passkeys wurde begonnen.',
    fr: 'L’enregistrement d’une clé d’accès a commencé.',
  },
  'passkey_registration.finished': {
    en: 'The registration of a passkey was finished.',
    de: 'Die Registrierung eines Passkeys wurde abgeschlossen.',
    fr: 'L’enregistrement d’une clé d’accès est terminé.',
  },
  'passkey_registration.removed': {
    en: 'The registration of a passkey was removed.',
    de: 'Die Registrierung eines Passkeys wurde entfernt.',
    fr: 'L’enregistrement d’une clé d’accès a été supprimé.',
  },
  'passkey_registration.cancelled': {
    en: 'The registration of a passkey was cancelled.',
    de: 'Die Registrierung eines Passkeys wurde abgebrochen.',
    fr: 'L’enregistrement d’une clé d’accès a été annulé.',
  },
  'totp.registered': {
    en: 'The set-up of an authenticator app was started.',
    de: 'Die Einrichtung einer Authenticator-App wurde begonnen.',
    fr: 'La configuration d’une application d’authentification a commencé.',
  },
  'totp.verified': {
    en: 'An authenticator app was set up.',
    de: 'Eine Authenticator-App wurde eingerichtet.',
    fr: 'Une application d’authentification a été configurée.',
  },
  'totp.imported': {
    en: 'An authenticator app was imported.',
    de: 'Eine Authenticator-App wurde importiert.',
    fr: 'Une application d’authentification a été importée.',
  },
  'totp.used': {
    en: 'A code of the authenticator app was used.',
    de: 'Ein Code der Authenticator-App wurde verwendet.',
    fr: 'Un code de l’application d’authentification a été utilisé.',
  },
  'totp.removed': {
    en: 'The authenticator app was removed.',
    de: 'Die Authenticator-App wurde entfernt.',
    fr: 'L’application d’authentification a été supprimée.',
  },
  'totp.resealed': {
    en: 'The secret of the authenticator app was encrypted again.',
    de: 'Das Secret der Authenticator-App wurde neu verschlüsselt.',
    fr: 'Le secret de l’application d’authentification a été rechiffré.',
  },
  'otp.added': {
    en: 'Codes by SMS or email were switched on.',
    de: 'Codes per SMS oder E-Mail wurden eingeschaltet.',
    fr: 'Les codes par SMS ou e-mail ont été activés.',
  },
  'otp.removed': {
    en: 'Codes by SMS or email were switched off.',
    de: 'Codes per SMS oder E-Mail wurden ausgeschaltet.',
    fr: 'Les codes par SMS ou e-mail ont été désactivés.',
  },
  'otp.issued': {
    en: 'A one-time code was sent.',
    de: 'Ein Einmalcode wurde gesendet.',
    fr: 'Un code à usage unique a été envoyé.',
  },
  'otp.used': {
    en: 'A one-time code was used.',
    de: 'Ein Einmalcode wurde verwendet.',
    fr: 'Un code à usage unique a été utilisé.',
  },
  'recovery_codes.generated': {
    en: 'Recovery codes were generated.',
    de: 'Wiederherstellungscodes wurden erzeugt.',
    fr: 'Des codes de récupération ont été générés.',
  },
  'recovery_codes.imported': {
    en: 'Recovery codes were brought from another product.',
    de: 'Wiederherstellungscodes wurden aus einem anderen Produkt übernommen.',
    fr: 'Des codes de récupération ont été repris d’un autre produit.',
  },
  'recovery_codes.used': {
    en: 'A recovery code was used.',
    de: 'Ein Wiederherstellungscode wurde verwendet.',
    fr: 'Un code de récupération a été utilisé.',
  },
  'recovery_codes.removed': {
    en: 'The recovery codes were removed.',
    de: 'Die Wiederherstellungscodes wurden entfernt.',
    fr: 'Les codes de récupération ont été supprimés.',
  },
  'recovery_codes.resealed': {
    en: 'The key of the recovery codes was encrypted again.',
    de: 'Der Schlüssel der Wiederherstellungscodes wurde neu verschlüsselt.',
    fr: 'La clé des codes de récupération a été rechiffrée.',
  },
  'one_time_codes.removed': {
    en: 'All one-time codes of the user were removed.',
    de: 'Alle Einmalcodes des Benutzers wurden entfernt.',
    fr: 'Tous les codes à usage unique de l’utilisateur ont été supprimés.',
  },
  'intent.started': {
    en: 'A sign-in at an identity provider was started.',
    de: 'Eine Anmeldung bei einem Identitätsanbieter wurde begonnen.',
    fr: 'Une connexion chez un fournisseur d’identité a commencé.',
  },
  'intent.answered': {
    en: 'An identity provider answered.',
    de: 'Ein Identitätsanbieter hat geantwortet.',
    fr: 'Un fournisseur d’identité a répondu.',
  },
  'intent.succeeded': {
    en: 'A sign-in at an identity provider succeeded.',
    de: 'Eine Anmeldung bei einem Identitätsanbieter war erfolgreich.',
    fr: 'Une connexion chez un fournisseur d’identité a réussi.',
  },
  'intent.failed': {
    en: 'A sign-in at an identity provider failed.',
    de: 'Eine Anmeldung bei einem Identitätsanbieter ist fehlgeschlagen.',
    fr: 'Une connexion chez un fournisseur d’identité a échoué.',
  },
  'intent.answer_refused': {
    en: 'A repeated answer of an identity provider was refused.',
    de: 'Eine wiederholte Antwort eines Identitätsanbieters wurde abgelehnt.',
    fr: 'Une réponse répétée d’un fournisseur d’identité a été refusée.',
  },
  'intent.consumed': {
    en: 'A sign-in at an identity provider was used for a session.',
    de: 'Eine Anmeldung bei einem Identitätsanbieter wurde für eine Sitzung verwendet.',
    fr: 'Une connexion chez un fournisseur d’identité a été utilisée pour une session.',
  },
  'intent.resealed': {
    en: 'A sign-in at an identity provider was encrypted again.',
    de: 'Eine Anmeldung bei einem Identitätsanbieter wurde neu verschlüsselt.',
    fr: 'Une connexion chez un fournisseur d’identité a été rechiffrée.',
  },
  'intent.retired': {
    en: 'Old sign-ins at identity providers were deleted.',
    de: 'Alte Anmeldungen bei Identitätsanbietern wurden gelöscht.',
    fr: 'D’anciennes connexions chez des fournisseurs d’identité ont été effacées.',
  },
  'session.created': {
    en: 'A session was started.',
    de: 'Eine Sitzung wurde begonnen.',
    fr: 'Une session a été ouverte.',
  },
  'session.user_checked': {
    en: 'A user was named for the session.',
    de: 'Für die Sitzung wurde ein Benutzer genannt.',
    fr: 'Un utilisateur a été indiqué pour la session.',
  },
  'session.password_checked': {
    en: 'The right password was entered.',
    de: 'Das richtige Passwort wurde eingegeben.',
    fr: 'Le bon mot de passe a été saisi.',
  },
  'session.intent_checked': {
    en: 'The user signed in at an identity provider.',
    de: 'Der Benutzer hat sich bei einem Identitätsanbieter angemeldet.',
    fr: 'L’utilisateur s’est connecté chez un fournisseur d’identité.',
  },
  'session.web_authn_checked': {
    en: 'The user signed in with a passkey or a security key.',
    de: 'Der Benutzer hat sich mit einem Passkey oder Sicherheitsschlüssel angemeldet.',
    fr: 'L’utilisateur s’est connecté avec une clé d’accès ou de sécurité.',
  },
  'session.totp_checked': {
    en: 'A code of the authenticator app was checked.',
    de: 'Ein Code der Authenticator-App wurde geprüft.',
    fr: 'Un code de l’application d’authentification a été vérifié.',
  },
  'session.otp_sms_checked': {
    en: 'A code by SMS was checked.',
    de: 'Ein Code per SMS wurde geprüft.',
    fr: 'Un code par SMS a été vérifié.',
  },
  'session.otp_email_checked': {
    en: 'A code by email was checked.',
    de: 'Ein Code per E-Mail wurde geprüft.',
    fr: 'Un code par e-mail a été vérifié.',
  },
  'session.recovery_code_checked': {
    en: 'A recovery code was checked.',
    de: 'Ein Wiederherstellungscode wurde geprüft.',
    fr: 'Un code de récupération a été vérifié.',
  },
  'session.check_failed': {
    en: 'A check of the sign-in failed.',
    de: 'Eine Prüfung der Anmeldung ist fehlgeschlagen.',
    fr: 'Une vérification de la connexion a échoué.',
  },
  'session.used': {
    en: 'A session was still in use.',
    de: 'Eine Sitzung wurde weiter verwendet.',
    fr: 'Une session était encore utilisée.',
  },
  'session.challenge_answered': {
    en: 'A session was created with the answer to a challenge.',
    de: 'Eine Sitzung wurde mit der Antwort auf eine Aufgabe erstellt.',
    fr: 'Une session a été créée avec la réponse à un défi.',
  },
  'session.challenged': {
    en: 'A challenge was sent for the sign-in.',
    de: 'Eine Aufgabe für die Anmeldung wurde gestellt.',
    fr: 'Un défi a été envoyé pour la connexion.',
  },
  'session.metadata_set': {
    en: 'Metadata of a session was set.',
    de: 'Metadaten einer Sitzung wurden gesetzt.',
    fr: 'Une métadonnée d’une session a été définie.',
  },
  'session.lifetime_set': {
    en: 'The lifetime of a session was set.',
    de: 'Die Laufzeit einer Sitzung wurde gesetzt.',
    fr: 'La durée de vie d’une session a été définie.',
  },
  'session.token_renewed': {
    en: 'The token of a session was renewed.',
    de: 'Das Token einer Sitzung wurde erneuert.',
    fr: 'Le jeton d’une session a été renouvelé.',
  },
  'session.expired': {
    en: 'A session expired.',
    de: 'Eine Sitzung ist abgelaufen.',
    fr: 'Une session a expiré.',
  },
  'session.ended': {
    en: 'A session was ended.',
    de: 'Eine Sitzung wurde beendet.',
    fr: 'Une session a été terminée.',
  },
  'session.retired': {
    en: 'Old sessions were deleted.',
    de: 'Alte Sitzungen wurden gelöscht.',
    fr: 'D’anciennes sessions ont été effacées.',
  },
  'sign_in.continued': {
    en: 'A step of a sign-in was completed.',
    de: 'Ein Schritt einer Anmeldung wurde abgeschlossen.',
    fr: 'Une étape d’une connexion a été terminée.',
  },
  'sign_in.succeeded': {
    en: 'A user signed in.',
    de: 'Ein Benutzer hat sich angemeldet.',
    fr: 'Un utilisateur s’est connecté.',
  },
  'sign_in.failed': {
    en: 'A sign-in failed.',
    de: 'Eine Anmeldung ist fehlgeschlagen.',
    fr: 'Une connexion a échoué.',
  },
  'sign_in.application_joined': {
    en: 'A user was signed in to an application.',
    de: 'Ein Benutzer wurde bei einer Anwendung angemeldet.',
    fr: 'Un utilisateur a été connecté à une application.',
  },
  'sign_in.retired': {
    en: 'Old sign-ins were deleted.',
    de: 'Alte Anmeldungen wurden gelöscht.',
    fr: 'D’anciennes connexions ont été effacées.',
  },
  'sign_in_tally.counted': {
    en: 'Failed sign-ins were counted.',
    de: 'Fehlgeschlagene Anmeldungen wurden gezählt.',
    fr: 'Des connexions échouées ont été comptées.',
  },
  'sign_in_tally.retired': {
    en: 'Old counts of failed sign-ins were deleted.',
    de: 'Alte Zählungen fehlgeschlagener Anmeldungen wurden gelöscht.',
    fr: 'D’anciens comptages de connexions échouées ont été effacés.',
  },
  'refused_request.received': {
    en: 'Requests of an application were refused.',
    de: 'Anfragen einer Anwendung wurden abgelehnt.',
    fr: 'Des demandes d’une application ont été refusées.',
  },
  'refused_request.retired': {
    en: 'Old refused requests were deleted.',
    de: 'Alte abgelehnte Anfragen wurden gelöscht.',
    fr: 'D’anciennes demandes refusées ont été effacées.',
  },
}
