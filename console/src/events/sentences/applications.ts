/** Events about applications and the access that users gave them. */
import type { Texts } from '../../texts/languages.ts'

export const applicationsSentences: Readonly<Record<string, Texts<string>>> = {
  'application.added': {
    en: 'An application was created.',
    de: 'Eine Anwendung wurde erstellt.',
    fr: 'Une application a été créée.',
  },
  'application.renamed': {
    en: 'An application was renamed.',
    de: 'Eine Anwendung wurde umbenannt.',
    fr: 'Une application a été renommée.',
  },
  'application.config_changed': {
    en: 'An application was changed.',
    de: 'Eine Anwendung wurde geändert.',
    fr: 'Une application a été modifiée.',
  },
  'application.secret_replaced': {
    en: 'The secret of an application was replaced.',
    de: 'Das Secret einer Anwendung wurde ersetzt.',
    fr: 'Le secret d’une application a été remplacé.',
  },
  'application.api_access_set': {
    en: 'The API access of an application was changed.',
    de: 'Der API-Zugriff einer Anwendung wurde geändert.',
    fr: 'L’accès d’une application à l’API a été modifié.',
  },
  'application.deactivated': {
    en: 'An application was deactivated.',
    de: 'Eine Anwendung wurde deaktiviert.',
    fr: 'Une application a été désactivée.',
  },
  'application.reactivated': {
    en: 'An application was reactivated.',
    de: 'Eine Anwendung wurde reaktiviert.',
    fr: 'Une application a été réactivée.',
  },
  'application.removed': {
    en: 'An application was removed.',
    de: 'Eine Anwendung wurde entfernt.',
    fr: 'Une application a été supprimée.',
  },
  'application_secret.set': {
    en: 'The secret of an application was set.',
    de: 'Das Secret einer Anwendung wurde gesetzt.',
    fr: 'Le secret d’une application a été défini.',
  },
  'application_secret.rehashed': {
    en: 'The imported hash of an application’s secret was replaced by one of this server.',
    de: 'Der übernommene Hash des Secrets einer Anwendung wurde durch einen dieses Servers ersetzt.',
    fr: 'L’empreinte importée du secret d’une application a été remplacée par celle de ce serveur.',
  },
  'application_secret.removed': {
    en: 'The secret of an application was removed.',
    de: 'Das Secret einer Anwendung wurde entfernt.',
    fr: 'Le secret d’une application a été supprimé.',
  },
  'application_key.added': {
    en: 'A key of an application was added.',
    de: 'Ein Schlüssel einer Anwendung wurde hinzugefügt.',
    fr: 'Une clé d’une application a été ajoutée.',
  },
  'application_key.removed': {
    en: 'A key of an application was removed.',
    de: 'Ein Schlüssel einer Anwendung wurde entfernt.',
    fr: 'Une clé d’une application a été supprimée.',
  },
  'grant.opened': {
    en: 'An application got access for a user.',
    de: 'Eine Anwendung hat Zugriff für einen Benutzer erhalten.',
    fr: 'Une application a obtenu l’accès pour un utilisateur.',
  },
  'grant.code_issued': {
    en: 'An application got a code.',
    de: 'Eine Anwendung hat einen Code erhalten.',
    fr: 'Une application a obtenu un code.',
  },
  'grant.code_redeemed': {
    en: 'An application redeemed its code.',
    de: 'Eine Anwendung hat ihren Code eingelöst.',
    fr: 'Une application a échangé son code.',
  },
  'grant.access_token_issued': {
    en: 'An application got an access token.',
    de: 'Eine Anwendung hat ein Zugriffstoken erhalten.',
    fr: 'Une application a obtenu un jeton d’accès.',
  },
  'grant.access_token_revoked': {
    en: 'An access token was revoked.',
    de: 'Ein Zugriffstoken wurde widerrufen.',
    fr: 'Un jeton d’accès a été révoqué.',
  },
  'grant.refresh_token_issued': {
    en: 'An application got a refresh token.',
    de: 'Eine Anwendung hat ein Aktualisierungstoken erhalten.',
    fr: 'Une application a obtenu un jeton d’actualisation.',
  },
  'grant.refresh_token_used': {
    en: 'An application used its refresh token.',
    de: 'Eine Anwendung hat ihr Aktualisierungstoken verwendet.',
    fr: 'Une application a utilisé son jeton d’actualisation.',
  },
  'grant.revoked': {
    en: 'The access of an application was revoked.',
    de: 'Der Zugriff einer Anwendung wurde widerrufen.',
    fr: 'L’accès d’une application a été révoqué.',
  },
  'grant.retired': {
    en: 'Old accesses of applications were deleted.',
    de: 'Alte Zugriffe von Anwendungen wurden gelöscht.',
    fr: 'D’anciens accès d’applications ont été effacés.',
  },
  'tokens.invalidated': {
    en: 'Tokens were invalidated.',
    de: 'Token wurden ungültig gemacht.',
    fr: 'Des jetons ont été invalidés.',
  },
  'consent.given': {
    en: 'The user allowed an application to use their data.',
    de: 'Der Benutzer hat einer Anwendung den Zugriff auf seine Daten erlaubt.',
    fr: 'L’utilisateur a autorisé une application à utiliser ses données.',
  },
  'consent.withdrawn': {
    en: 'The user withdrew the access of an application.',
    de: 'Der Benutzer hat einer Anwendung den Zugriff entzogen.',
    fr: 'L’utilisateur a retiré l’accès à une application.',
  },
  'agent_approval.given': {
    en: 'The organization approved a client for all of its users.',
    de: 'Die Organisation hat einen Client für alle ihre Benutzer freigegeben.',
    fr: 'L’organisation a approuvé un client pour tous ses utilisateurs.',
  },
  'agent_approval.withdrawn': {
    en: 'The organization withdrew its approval of a client.',
    de: 'Die Organisation hat die Freigabe eines Clients zurückgezogen.',
    fr: 'L’organisation a retiré son approbation d’un client.',
  },
  'authorization_request.started': {
    en: 'An application asked for a sign-in.',
    de: 'Eine Anwendung hat eine Anmeldung verlangt.',
    fr: 'Une application a demandé une connexion.',
  },
  'authorization_request.account_chosen': {
    en: 'An account was chosen for an application.',
    de: 'Ein Konto wurde für eine Anwendung gewählt.',
    fr: 'Un compte a été choisi pour une application.',
  },
  'authorization_request.details_allowed': {
    en: 'A user allowed what an application asks for in detail.',
    de: 'Ein Benutzer hat erlaubt, was eine Anwendung im Einzelnen verlangt.',
    fr: 'Un utilisateur a autorisé ce qu’une application demande en détail.',
  },
  'authorization_request.denied': {
    en: 'The sign-in for an application was denied.',
    de: 'Die Anmeldung für eine Anwendung wurde abgelehnt.',
    fr: 'La connexion pour une application a été refusée.',
  },
  'authorization_request.finished': {
    en: 'The sign-in for an application was finished.',
    de: 'Die Anmeldung für eine Anwendung wurde abgeschlossen.',
    fr: 'La connexion pour une application est terminée.',
  },
  'saml_request.started': {
    en: 'A SAML application asked for a sign-in.',
    de: 'Eine SAML-Anwendung hat eine Anmeldung verlangt.',
    fr: 'Une application SAML a demandé une connexion.',
  },
  'saml_request.finished': {
    en: 'The sign-in for a SAML application was finished.',
    de: 'Die Anmeldung für eine SAML-Anwendung wurde abgeschlossen.',
    fr: 'La connexion pour une application SAML est terminée.',
  },
  'saml_logout.started': {
    en: 'A logout that SAML applications are told about was started.',
    de: 'Eine Abmeldung, die SAML-Anwendungen mitgeteilt wird, wurde begonnen.',
    fr: 'Une déconnexion communiquée aux applications SAML a commencé.',
  },
  'saml_logout.planned': {
    en: 'The SAML applications that are told about a logout were found.',
    de: 'Die SAML-Anwendungen, denen eine Abmeldung mitgeteilt wird, wurden gefunden.',
    fr: 'Les applications SAML à informer d’une déconnexion ont été trouvées.',
  },
  'saml_logout.asked': {
    en: 'A SAML application was told to sign the user out.',
    de: 'Eine SAML-Anwendung wurde aufgefordert, den Benutzer abzumelden.',
    fr: 'Une application SAML a été invitée à déconnecter l’utilisateur.',
  },
  'saml_logout.answered': {
    en: 'A SAML application answered whether it signed the user out.',
    de: 'Eine SAML-Anwendung hat geantwortet, ob sie den Benutzer abgemeldet hat.',
    fr: 'Une application SAML a répondu si elle avait déconnecté l’utilisateur.',
  },
  'saml_logout.finished': {
    en: 'A logout from SAML applications was finished.',
    de: 'Eine Abmeldung bei SAML-Anwendungen wurde abgeschlossen.',
    fr: 'Une déconnexion d’applications SAML est terminée.',
  },
  'saml_logout.retired': {
    en: 'Old logouts from SAML applications were deleted.',
    de: 'Alte Abmeldungen bei SAML-Anwendungen wurden gelöscht.',
    fr: 'D’anciennes déconnexions d’applications SAML ont été effacées.',
  },
  'pushed_request.stored': {
    en: 'An application sent a sign-in request in advance.',
    de: 'Eine Anwendung hat eine Anmeldeanfrage vorab gesendet.',
    fr: 'Une application a envoyé une demande de connexion à l’avance.',
  },
  'pushed_request.used': {
    en: 'A sign-in request that was sent in advance was used.',
    de: 'Eine vorab gesendete Anmeldeanfrage wurde verwendet.',
    fr: 'Une demande de connexion envoyée à l’avance a été utilisée.',
  },
  'device_authorization.started': {
    en: 'A device asked for a sign-in.',
    de: 'Ein Gerät hat eine Anmeldung verlangt.',
    fr: 'Un appareil a demandé une connexion.',
  },
  'device_authorization.approved': {
    en: 'The sign-in of a device was approved.',
    de: 'Die Anmeldung eines Geräts wurde genehmigt.',
    fr: 'La connexion d’un appareil a été approuvée.',
  },
  'device_authorization.denied': {
    en: 'The sign-in of a device was denied.',
    de: 'Die Anmeldung eines Geräts wurde abgelehnt.',
    fr: 'La connexion d’un appareil a été refusée.',
  },
  'device_authorization.redeemed': {
    en: 'A device finished its sign-in.',
    de: 'Ein Gerät hat seine Anmeldung abgeschlossen.',
    fr: 'Un appareil a terminé sa connexion.',
  },
  'device_authorization.polled': {
    en: 'A device asked whether its sign-in was approved.',
    de: 'Ein Gerät hat gefragt, ob seine Anmeldung genehmigt ist.',
    fr: 'Un appareil a demandé si sa connexion était approuvée.',
  },
  'device_authorization.slowed_down': {
    en: 'A device asked too often and was told to wait longer.',
    de: 'Ein Gerät hat zu oft gefragt und soll länger warten.',
    fr: 'Un appareil a demandé trop souvent et doit attendre plus longtemps.',
  },
  'backchannel_request.started': {
    en: 'An application asked a user for approval.',
    de: 'Eine Anwendung hat um Zustimmung gebeten.',
    fr: 'Une application a demandé une approbation.',
  },
  'backchannel_request.approved': {
    en: 'A user approved the request of an application.',
    de: 'Eine Anfrage einer Anwendung wurde genehmigt.',
    fr: 'La demande d’une application a été approuvée.',
  },
  'backchannel_request.denied': {
    en: 'A user refused the request of an application.',
    de: 'Eine Anfrage einer Anwendung wurde abgelehnt.',
    fr: 'La demande d’une application a été refusée.',
  },
  'backchannel_request.expired': {
    en: 'A request for approval expired.',
    de: 'Eine Anfrage um Zustimmung ist abgelaufen.',
    fr: 'Une demande d’approbation a expiré.',
  },
  'backchannel_request.withdrawn': {
    en: 'A request for approval was withdrawn because the user lost access.',
    de: 'Eine Anfrage um Zustimmung wurde zurückgezogen, weil der Zugang endete.',
    fr: 'Une demande d’approbation a été retirée, car l’accès a pris fin.',
  },
  'backchannel_request.redeemed': {
    en: 'An application received its tokens after an approval.',
    de: 'Eine Anwendung hat nach einer Zustimmung ihre Token erhalten.',
    fr: 'Une application a reçu ses jetons après une approbation.',
  },
  'backchannel_request.polled': {
    en: 'An application asked whether its request was approved.',
    de: 'Eine Anwendung hat gefragt, ob ihre Anfrage genehmigt ist.',
    fr: 'Une application a demandé si sa demande était approuvée.',
  },
  'backchannel_request.slowed_down': {
    en: 'An application asked too often and was told to wait longer.',
    de: 'Eine Anwendung hat zu oft gefragt und soll länger warten.',
    fr: 'Une application a demandé trop souvent et doit attendre plus longtemps.',
  },
  'backchannel_request.resealed': {
    en: 'The notification of a request for approval was encrypted with another key.',
    de: 'Die Benachrichtigung einer Anfrage um Zustimmung wurde mit einem anderen Schlüssel verschlüsselt.',
    fr: 'La notification d’une demande d’approbation a été chiffrée avec une autre clé.',
  },
  'assertion.used': {
    en: 'A signed assertion was used.',
    de: 'Eine signierte Assertion wurde verwendet.',
    fr: 'Une assertion signée a été utilisée.',
  },
  'authorization_request.retired': {
    en: 'Old sign-in requests were deleted.',
    de: 'Alte Anmeldeanfragen wurden gelöscht.',
    fr: 'D’anciennes demandes de connexion ont été effacées.',
  },
}
