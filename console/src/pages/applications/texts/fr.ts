/** The texts of applications, in French. */

import type { ApplicationTexts } from './en.ts'
import { schemeOf, withScheme } from './uri-parts.ts'

const compliance: ApplicationTexts['compliance'] = {
  NoRedirectUris: 'Au moins une URI de redirection est nécessaire.',
  'GrantType.Refresh.NoAuthCode': 'Les jetons d’actualisation exigent le code d’autorisation ou le code d’appareil.',
  'Code.RedirectUris.HttpOnlyForWeb': 'Seules les applications web peuvent avoir des URI de redirection en http.',
  'Code.RedirectUris.CustomOnlyForNative': 'Seules les applications natives peuvent avoir leur propre schéma.',
  'Implicit.NotOffered': 'Ce serveur n’offre pas le flux implicite. Utilisez le code d’autorisation.',
  'Native.RedirectUris.MustBeHttpLocalhost':
    'Les applications natives ne peuvent utiliser http que sur une adresse de bouclage.',
  'Native.AuthMethodType.NotNone': 'Les applications natives ne peuvent pas garder de secret : utilisez PKCE seul.',
  'UserAgent.AuthMethodType.NotNone':
    'Les applications dans un navigateur ne peuvent pas garder de secret : utilisez PKCE seul.',
}

export const fr: ApplicationTexts = {
  create: 'Créer une application',
  createDone: 'L’application a été créée.',
  createdTitle: (name) => `${name} est prête`,
  nextStep: 'Ouvrez l’application pour modifier ses paramètres, comme le contenu des jetons.',
  open: 'Ouvrir l’application',
  project: 'Projet',
  projectId: 'ID du projet',
  chooseKind: 'Que construisez-vous ?',
  kind: 'Type',
  kinds: {
    web: { name: 'Web', hint: 'Un site avec un serveur qui garde un secret, comme Node.js, Java ou PHP.' },
    spa: { name: 'Page unique', hint: 'Fonctionne dans le navigateur seul, comme React ou Vue. Sans secret.' },
    native: { name: 'Native', hint: 'Une application mobile, de bureau ou en ligne de commande. Sans secret.' },
    api: { name: 'API', hint: 'Accepte les jetons d’accès d’autres applications et les vérifie.' },
    machine: { name: 'Machine', hint: 'Un programme qui se connecte lui-même, sans personne.' },
  },
  name: 'Nom',
  nameHint: 'Les utilisateurs le voient lorsqu’ils se connectent.',
  issuer: 'Émetteur',
  clientId: 'ID client',
  clientSecret: 'Secret client',
  actions: 'Actions',
  authMethod: 'Authentification de l’application',
  authMethods: {
    basic: 'Secret dans l’en-tête (client_secret_basic)',
    post: 'Secret dans le corps (client_secret_post)',
    none: 'Aucune, PKCE seul (client public)',
    key: 'Signée avec une clé (private_key_jwt)',
  },
  grantTypes: 'Types d’autorisation',
  grantTypeNames: {
    code: 'Code d’autorisation',
    refresh: 'Jeton d’actualisation',
    device: 'Code d’appareil',
    exchange: 'Échange de jetons',
  },
  requireJti: 'Exiger un identifiant dans les assertions',
  requireJtiHint:
    'Chaque JWT avec lequel l’application s’authentifie doit avoir un `jti` et ne sert qu’une fois. Sinon, un JWT sans `jti` est valable jusqu’à son expiration, une heure au plus.',
  thirdParty: 'Demander le consentement',
  thirdPartyHint: 'Pour les applications de tiers : les utilisateurs acceptent avant qu’elle reçoive leurs données.',
  redirectUris: 'URI de redirection',
  redirectHints: {
    web: 'Où le navigateur revient après la connexion.',
    spa: 'Une adresse https, ou http sur localhost.',
    native: 'Un schéma de votre application, une adresse https, ou http sur une adresse de bouclage.',
  },
  postLogoutRedirectUris: 'URI de redirection après la déconnexion',
  postLogoutHint: 'Où le navigateur revient après la déconnexion. Facultatif.',
  additionalOrigins: 'Origines supplémentaires',
  additionalOriginsHint: 'D’où les navigateurs peuvent appeler ce serveur, outre les URI de redirection.',
  backChannelLogoutUri: 'URI de déconnexion back-channel',
  backChannelLogoutHint: 'Reçoit un jeton de déconnexion à la fin d’une session. Facultatif.',
  developmentMode: 'Mode de développement',
  developmentModeHint:
    'Autorise http et les jokers (*) dans les URI de redirection : dans un sous-domaine ou un segment du chemin. Jamais en production.',
  tokenType: 'Jetons d’accès',
  tokenTypes: { bearer: 'Opaques (les API interrogent ce serveur)', jwt: 'Signés (JWT)' },
  accessTokenRoles: 'Rôles dans les jetons d’accès',
  idTokenRoles: 'Rôles dans les jetons d’identité',
  idTokenUserinfo: 'Profil dans les jetons d’identité',
  idTokenUserinfoHint: 'Ajoute nom, e-mail et téléphone, sinon disponibles au point userinfo.',
  clockSkew: 'Décalage d’horloge',
  clockSkewHint: 'L’écart permis de l’horloge de l’application, jusqu’à 5 secondes.',
  login: 'Page de connexion',
  logins: {
    default: 'Selon le réglage de ce serveur',
    v1: 'Les pages de ce serveur',
    v2: 'Une application de connexion séparée',
  },
  loginBaseUri: 'Adresse de l’application de connexion',
  loginBaseUriHint: 'Si vide, celle de ce serveur.',
  skipSuccessPage: 'Revenir à l’application sans page intermédiaire',
  notCompliant: 'Ces paramètres enfreignent des règles des standards',
  compliance,
  sections: { basic: 'Général', addresses: 'Adresses', tokens: 'Jetons', login: 'Connexion' },
  tabs: {
    start: 'Démarrer',
    settings: 'Paramètres',
    credentials: 'Identifiants',
    danger: 'Désactiver et supprimer',
  },
  apiAccess: {
    label: 'Accès à l’API de ce serveur',
    hint: 'Ce que l’application peut faire ici avec le jeton d’une personne qui l’utilise : jamais plus que cette personne, ni plus que ce réglage.',
    lowered:
      'Si une personne qui a moins de droits modifie les réglages ou les identifiants, l’accès est réduit à ses droits.',
    levels: {
      none: 'Aucun : chacun ne gère que son propre compte',
      project: 'Ce projet : les rôles dans le projet comptent',
      organization: 'L’organisation : les rôles dans l’organisation comptent',
      instance: 'Tout le serveur : tous les rôles comptent',
    },
    done: 'L’accès à l’API a été modifié.',
  },
  machineTitle: 'Une machine est un utilisateur',
  machineHint:
    'Créez une machine et donnez-lui un secret, une clé ou un jeton. Avec le scope ci-dessous, ses jetons valent pour ce projet.',
  createMachine: 'Créer une machine',
  secretHint: 'Il est conservé sous forme de hachage et ne peut plus être affiché.',
  newSecret: 'Générer un nouveau secret',
  newSecretTitle: (name) => `Nouveau secret pour « ${name} » ?`,
  newSecretHint: 'Le secret actuel cesse aussitôt de fonctionner.',
  secretDone: 'Le secret a été généré.',
  uri: {
    numbered: (label, number) => `${label} ${number}`,
    removeNumbered: (label, number) => `Supprimer ${label} ${number}`,
    add: 'Ajouter une adresse',
    needed: 'Au moins une adresse est nécessaire.',
    check: 'Veuillez corriger les adresses.',
    problems: {
      absolute: (uri: string) => `« ${uri} » n’est pas une URI complète. Exemple : https://app.example.com/callback.`,
      spaces: (uri: string) =>
        `« ${uri} » contient une espace. Supprimez-la, ou saisissez chaque URI dans un champ à part.`,
      characters: (uri: string) =>
        `« ${uri} » contient un caractère interdit dans une URI, comme une lettre accentuée ou une barre oblique inverse. Encodez-le.`,
      scheme_missing: (uri: string) => `« ${uri} » n’a pas de schéma. Écrivez ${withScheme(uri)}.`,
      scheme: (uri: string) => `« ${schemeOf(uri)} » ne mène à aucune application. Utilisez https.`,
      fragment: (uri: string) => `« ${uri} » contient un fragment. Supprimez le # et ce qui le suit.`,
      host: (uri: string) =>
        `« ${uri} » n’a pas d’hôte. Il se place après deux barres obliques : ${schemeOf(uri)}//app.example.com/callback.`,
      credentials: (uri: string) =>
        `« ${uri} » contient un nom d’utilisateur ou un mot de passe. Supprimez ce qui précède le @.`,
      wildcard: (uri: string) =>
        `« ${uri} » contient un joker (*). Écrivez l’URI en entier, ou activez le mode de développement.`,
      wildcard_place: (uri: string) =>
        `« ${uri} » a un joker (*) au mauvais endroit. Il peut remplacer un sous-domaine de votre domaine ou une partie du chemin.`,
      http: (uri: string) =>
        `« ${uri} » utilise http, qui n’est autorisé que sur localhost. Utilisez https, ou activez le mode de développement.`,
      custom: (uri: string) =>
        `« ${schemeOf(uri)} » est un schéma personnalisé, réservé aux applications natives. Utilisez https.`,
      ending: (uri: string) => `« ${uri} » se termine par ${uri.at(-1)}. Supprimez ce caractère.`,
      origin: (uri: string) =>
        `« ${uri} » n’est pas une origine. Indiquez seulement le schéma et l’hôte, par exemple https://app.example.com.`,
      endpoint: (uri: string) => `« ${uri} » n’est pas une URL https.`,
    },
  },
  keys: {
    title: 'Clés',
    hint: 'L’application signe un jeton avec sa clé privée. Ce serveur ne conserve que la clé publique.',
    id: 'ID de la clé',
    created: 'Créée',
    expires: 'Expire',
    expiresHint: 'Si vide, la clé n’expire pas.',
    add: 'Ajouter une clé',
    addDone: 'La clé a été ajoutée.',
    addedTitle: 'Télécharger le fichier de clé',
    downloadHint: 'Le fichier contient la clé privée. Il ne peut pas être téléchargé à nouveau.',
    download: 'Télécharger',
    remove: 'Supprimer',
    removeHint: 'L’application ne peut plus s’authentifier avec cette clé.',
    removeDone: 'La clé a été supprimée.',
    empty: 'Il n’y a pas encore de clés.',
  },
  danger: {
    deactivate: 'Désactiver',
    deactivateHint: 'Les utilisateurs ne peuvent plus se connecter avec elle jusqu’à sa réactivation.',
    deactivateDone: 'L’application a été désactivée.',
    activate: 'Activer',
    activateHint: 'Les utilisateurs peuvent à nouveau se connecter avec elle.',
    activateDone: 'L’application a été activée.',
    remove: 'Supprimer',
    removeHint: 'Supprime définitivement l’application. Ses jetons ne sont alors plus valables.',
    removeDone: 'L’application a été supprimée.',
  },
}
