/** The texts of the API of a project, in French. */
import type { ApiTexts } from './en.ts'

export const fr: ApiTexts = {
  resources: {
    title: 'Ressources',
    description:
      'API pour lesquelles des jetons d’accès sont émis. Un jeton pour une ressource est refusé par toutes les autres.',
    empty: 'Il n’y a pas encore de ressources. Ajoutez-en une pour émettre des jetons pour une API ou un serveur MCP.',
    uri: 'URI de la ressource',
    uriHint: 'L’adresse de l’API, par exemple https://mcp.example.com/mcp. Elle devient l’audience de ses jetons.',
    scopes: 'Portées',
    scopesHint: 'Ce qu’un client peut demander à cette API.',
    scope: (number) => `Portée ${number}`,
    sentence: (number) => `Description de la portée ${number}`,
    scopePlaceholder: 'tools:read',
    sentencePlaceholder: 'Lire vos fichiers',
    sentenceHint: 'Les utilisateurs lisent la description quand leur accord est demandé.',
    addScope: 'Ajouter une portée',
    removeScope: (number) => `Supprimer la portée ${number}`,
    noScopes: 'Aucune',
    default: 'Par défaut',
    isDefault: 'Ressource par défaut',
    isDefaultHint: 'Les clients de ce projet qui ne nomment aucune ressource reçoivent des jetons pour celle-ci.',
    add: 'Ajouter une ressource',
    addDone: 'La ressource a été ajoutée.',
    edit: 'Modifier',
    remove: 'Supprimer',
    removeHint: 'Tous les jetons pour cette ressource cessent aussitôt de fonctionner.',
    removeDone: 'La ressource a été supprimée.',
    changedUri: 'Si vous modifiez l’URI, les jetons pour l’URI actuelle cessent aussitôt de fonctionner.',
    uriTaken: 'Ce projet a déjà une ressource avec cette URI.',
    scopeTaken: 'Cette portée est déjà dans la liste.',
  },
  agents: {
    title: 'Agents',
    description:
      'Ce que les agents et les clients que personne n’a configurés peuvent faire avec les ressources de ce projet.',
    names: {
      clientIdMetadataDocuments: 'Autoriser les clients avec un document de métadonnées',
      dynamicRegistration: 'Autoriser les clients qui se sont enregistrés eux-mêmes',
      onBehalfOf: 'Les agents peuvent agir au nom des utilisateurs',
    },
    hints: {
      clientIdMetadataDocuments: 'Leur ID client est l’URL d’un document qui les nomme.',
      dynamicRegistration: 'Ils s’enregistrent avec un jeton d’enregistrement, ou sans, si l’instance l’autorise.',
      onBehalfOf:
        'Un agent que l’utilisateur a autorisé peut échanger le jeton de celui-ci contre un jeton qui nomme les deux.',
    },
    offHere: 'L’instance n’autorise pas ces clients, ceci n’a donc pas encore d’effet.',
    instance: 'Paramètres des agents de l’instance',
  },
  tokens: {
    title: 'Jetons d’enregistrement',
    description:
      'Avec un jeton d’enregistrement, des clients peuvent s’enregistrer pour ce projet. Il est valable un jour et n’est pas conservé : il ne peut donc être ni listé ni supprimé. Désactivez l’enregistrement pour y mettre fin plus tôt.',
    create: 'Créer un jeton d’enregistrement',
    created: 'Le jeton d’enregistrement a été créé.',
    token: 'Jeton d’enregistrement',
    expires: (time) => `Valable jusqu’au ${time}`,
  },
}
