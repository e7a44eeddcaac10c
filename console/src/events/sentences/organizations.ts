/** Events about organizations, administrators, projects and who may use them. */
import type { Texts } from '../../texts/languages.ts'

export const organizationsSentences: Readonly<Record<string, Texts<string>>> = {
  'organization.added': {
    en: 'An organization was created.',
    de: 'Eine Organisation wurde erstellt.',
    fr: 'Une organisation a été créée.',
  },
  'organization.renamed': {
    en: 'An organization was renamed.',
    de: 'Eine Organisation wurde umbenannt.',
    fr: 'Une organisation a été renommée.',
  },
  'organization.deactivated': {
    en: 'An organization was deactivated.',
    de: 'Eine Organisation wurde deaktiviert.',
    fr: 'Une organisation a été désactivée.',
  },
  'organization.reactivated': {
    en: 'An organization was reactivated.',
    de: 'Eine Organisation wurde reaktiviert.',
    fr: 'Une organisation a été réactivée.',
  },
  'organization.removed': {
    en: 'An organization was removed.',
    de: 'Eine Organisation wurde entfernt.',
    fr: 'Une organisation a été supprimée.',
  },
  'organization.domain_added': {
    en: 'A domain was added.',
    de: 'Eine Domain wurde hinzugefügt.',
    fr: 'Un domaine a été ajouté.',
  },
  'organization.domain_validation_started': {
    en: 'The verification of a domain was started.',
    de: 'Die Bestätigung einer Domain wurde begonnen.',
    fr: 'La vérification d’un domaine a commencé.',
  },
  'organization.domain_verified': {
    en: 'A domain was verified.',
    de: 'Eine Domain wurde bestätigt.',
    fr: 'Un domaine a été vérifié.',
  },
  'organization.primary_domain_set': {
    en: 'Another domain became the primary one.',
    de: 'Eine andere Domain wurde zur primären.',
    fr: 'Un autre domaine est devenu le domaine principal.',
  },
  'organization.domain_removed': {
    en: 'A domain was removed.',
    de: 'Eine Domain wurde entfernt.',
    fr: 'Un domaine a été supprimé.',
  },
  'membership.added': {
    en: 'Administrator roles were given.',
    de: 'Administratorrollen wurden vergeben.',
    fr: 'Des rôles d’administration ont été attribués.',
  },
  'membership.project_added': {
    en: 'Administrator roles on a project were given.',
    de: 'Administratorrollen an einem Projekt wurden vergeben.',
    fr: 'Des rôles d’administration sur un projet ont été attribués.',
  },
  'membership.changed': {
    en: 'Administrator roles were changed.',
    de: 'Administratorrollen wurden geändert.',
    fr: 'Des rôles d’administration ont été modifiés.',
  },
  'membership.removed': {
    en: 'Administrator roles were removed.',
    de: 'Administratorrollen wurden entfernt.',
    fr: 'Des rôles d’administration ont été supprimés.',
  },
  'organization_metadata.set': {
    en: 'Metadata of an organization was set.',
    de: 'Metadaten einer Organisation wurden gesetzt.',
    fr: 'Une métadonnée d’une organisation a été définie.',
  },
  'organization_metadata.removed': {
    en: 'Metadata of an organization was removed.',
    de: 'Metadaten einer Organisation wurden entfernt.',
    fr: 'Une métadonnée d’une organisation a été supprimée.',
  },
  'project.added': {
    en: 'A project was created.',
    de: 'Ein Projekt wurde erstellt.',
    fr: 'Un projet a été créé.',
  },
  'project.changed': {
    en: 'A project was changed.',
    de: 'Ein Projekt wurde geändert.',
    fr: 'Un projet a été modifié.',
  },
  'project.deactivated': {
    en: 'A project was deactivated.',
    de: 'Ein Projekt wurde deaktiviert.',
    fr: 'Un projet a été désactivé.',
  },
  'project.reactivated': {
    en: 'A project was reactivated.',
    de: 'Ein Projekt wurde reaktiviert.',
    fr: 'Un projet a été réactivé.',
  },
  'project.removed': {
    en: 'A project was removed.',
    de: 'Ein Projekt wurde entfernt.',
    fr: 'Un projet a été supprimé.',
  },
  'registered_client.added': {
    en: 'A client registered itself.',
    de: 'Ein Client hat sich selbst registriert.',
    fr: 'Un client s’est enregistré lui-même.',
  },
  'registered_client.changed': {
    en: 'A client changed its registration.',
    de: 'Ein Client hat seine Registrierung geändert.',
    fr: 'Un client a modifié son enregistrement.',
  },
  'registered_client.used': {
    en: 'A client that registered itself was used.',
    de: 'Ein Client, der sich selbst registriert hat, wurde verwendet.',
    fr: 'Un client enregistré par lui-même a été utilisé.',
  },
  'registered_client.removed': {
    en: 'The registration of a client was removed.',
    de: 'Die Registrierung eines Clients wurde entfernt.',
    fr: 'L’enregistrement d’un client a été supprimé.',
  },
  'registered_client.retired': {
    en: 'Registrations of clients that had ended were deleted.',
    de: 'Beendete Registrierungen von Clients wurden gelöscht.',
    fr: 'Des enregistrements de clients terminés ont été effacés.',
  },
  'registration_token.issued': {
    en: 'A token was issued with which clients can register.',
    de: 'Ein Token wurde ausgestellt, mit dem sich Clients registrieren können.',
    fr: 'Un jeton permettant aux clients de s’enregistrer a été émis.',
  },
  'registration.counted': {
    en: 'The registration of a client was counted.',
    de: 'Die Registrierung eines Clients wurde gezählt.',
    fr: 'L’enregistrement d’un client a été compté.',
  },
  'resources.set': {
    en: 'The resources of a project were changed.',
    de: 'Die Ressourcen eines Projekts wurden geändert.',
    fr: 'Les ressources d’un projet ont été modifiées.',
  },
  'resources.removed': {
    en: 'The resources of a project were removed.',
    de: 'Die Ressourcen eines Projekts wurden entfernt.',
    fr: 'Les ressources d’un projet ont été supprimées.',
  },
  'project_role.added': {
    en: 'A role of a project was added.',
    de: 'Eine Rolle eines Projekts wurde hinzugefügt.',
    fr: 'Un rôle d’un projet a été ajouté.',
  },
  'project_role.changed': {
    en: 'A role of a project was changed.',
    de: 'Eine Rolle eines Projekts wurde geändert.',
    fr: 'Un rôle d’un projet a été modifié.',
  },
  'project_role.removed': {
    en: 'A role of a project was removed.',
    de: 'Eine Rolle eines Projekts wurde entfernt.',
    fr: 'Un rôle d’un projet a été supprimé.',
  },
  'project_grant.added': {
    en: 'A project was granted to an organization.',
    de: 'Ein Projekt wurde für eine Organisation freigegeben.',
    fr: 'Un projet a été accordé à une organisation.',
  },
  'project_grant.changed': {
    en: 'The grant of a project was changed.',
    de: 'Die Freigabe eines Projekts wurde geändert.',
    fr: 'L’octroi d’un projet a été modifié.',
  },
  'project_grant.deactivated': {
    en: 'The grant of a project was deactivated.',
    de: 'Die Freigabe eines Projekts wurde deaktiviert.',
    fr: 'L’octroi d’un projet a été désactivé.',
  },
  'project_grant.reactivated': {
    en: 'The grant of a project was reactivated.',
    de: 'Die Freigabe eines Projekts wurde reaktiviert.',
    fr: 'L’octroi d’un projet a été réactivé.',
  },
  'project_grant.removed': {
    en: 'The grant of a project was removed.',
    de: 'Die Freigabe eines Projekts wurde entfernt.',
    fr: 'L’octroi d’un projet a été supprimé.',
  },
  'authorization.added': {
    en: 'Roles of a project were given.',
    de: 'Rollen eines Projekts wurden vergeben.',
    fr: 'Des rôles d’un projet ont été attribués.',
  },
  'authorization.group_added': {
    en: 'Roles of a project were given to a group.',
    de: 'Rollen eines Projekts wurden einer Gruppe gegeben.',
    fr: 'Des rôles d’un projet ont été attribués à un groupe.',
  },
  'authorization.changed': {
    en: 'Roles of a project were changed.',
    de: 'Rollen eines Projekts wurden geändert.',
    fr: 'Des rôles d’un projet ont été modifiés.',
  },
  'authorization.deactivated': {
    en: 'An authorization was deactivated.',
    de: 'Eine Berechtigung wurde deaktiviert.',
    fr: 'Une autorisation a été désactivée.',
  },
  'authorization.reactivated': {
    en: 'An authorization was reactivated.',
    de: 'Eine Berechtigung wurde reaktiviert.',
    fr: 'Une autorisation a été réactivée.',
  },
  'authorization.removed': {
    en: 'An authorization was removed.',
    de: 'Eine Berechtigung wurde entfernt.',
    fr: 'Une autorisation a été supprimée.',
  },
  'group.added': {
    en: 'A group was added.',
    de: 'Eine Gruppe wurde hinzugefügt.',
    fr: 'Un groupe a été ajouté.',
  },
  'group.managed': {
    en: 'A directory manages the group from now on.',
    de: 'Ein Verzeichnis verwaltet die Gruppe von jetzt an.',
    fr: 'Un annuaire gère désormais le groupe.',
  },
  'group.released': {
    en: 'A group was detached from the directory.',
    de: 'Eine Gruppe wurde vom Verzeichnis gelöst.',
    fr: 'Un groupe a été détaché de l’annuaire.',
  },
  'organization.managed_changes_set': {
    en: 'It was set whether others may change what a directory manages.',
    de: 'Es wurde festgelegt, ob andere ändern dürfen, was ein Verzeichnis verwaltet.',
    fr: 'Il a été défini si d’autres peuvent modifier ce qu’un annuaire gère.',
  },
  'group.changed': {
    en: 'A group was changed.',
    de: 'Eine Gruppe wurde geändert.',
    fr: 'Un groupe a été modifié.',
  },
  'group.removed': {
    en: 'A group was deleted.',
    de: 'Eine Gruppe wurde gelöscht.',
    fr: 'Un groupe a été supprimé.',
  },
  'group_member.added': {
    en: 'A user was added to a group.',
    de: 'Ein Benutzer wurde einer Gruppe hinzugefügt.',
    fr: 'Un utilisateur a été ajouté à un groupe.',
  },
  'group_member.removed': {
    en: 'A user was removed from a group.',
    de: 'Ein Benutzer wurde aus einer Gruppe entfernt.',
    fr: 'Un utilisateur a été retiré d’un groupe.',
  },
  'group_metadata.set': {
    en: 'Metadata of a group was set.',
    de: 'Metadaten einer Gruppe wurden gesetzt.',
    fr: 'Une métadonnée d’un groupe a été définie.',
  },
  'group_metadata.removed': {
    en: 'Metadata of a group was removed.',
    de: 'Metadaten einer Gruppe wurden entfernt.',
    fr: 'Une métadonnée d’un groupe a été supprimée.',
  },
}
