/** Every sentence of the hosted pages, in French. */
import { accountTexts } from './account/fr.ts'
import type { Texts } from './en.ts'
import { externalTexts } from './external/fr.ts'
import { signInTexts } from './sign-in/fr.ts'

export const fr: Texts = {
  ...signInTexts,
  ...accountTexts,
  ...externalTexts,
  languages: 'Langues',
  summary: 'Merci de vérifier',
  start: {
    title: 'Bonjour',
    lead: 'Voici Signet, un serveur d’identité. Il garde les comptes et sait qui est qui, pour que les applications n’aient pas à le faire.',
    forgotten: 'J’ai oublié mon mot de passe',
    api: 'Ce que les applications peuvent demander (OpenAPI)',
    inbox: 'Boîte de développement',
    health: 'Le serveur est-il prêt ?',
  },
  verifyEmail: {
    title: 'Confirmez votre adresse e-mail',
    lead: 'Un clic, et nous savons que cette adresse est la vôtre.',
    code: 'Code reçu par e-mail',
    codeMissing: 'Saisissez le code reçu par e-mail.',
    button: 'Confirmer l’adresse',
    done: 'Votre adresse est confirmée',
    doneText: 'Merci. Il n’y a plus rien à faire ici : vous pouvez fermer cette page.',
  },
  password: {
    resetTitle: 'Choisissez un nouveau mot de passe',
    resetLead: 'Il remplacera celui que vous aviez.',
    inviteTitle: 'Bienvenue',
    inviteLead:
      'Choisissez un mot de passe, et votre compte est prêt. Vous confirmez ainsi également votre adresse e-mail.',
    setupTitle: 'Mettez en place votre serveur',
    setupLead:
      'Il est entre vos mains. Choisissez un mot de passe que personne d’autre ne connaît, ou prenez une clé d’accès.',
    first: 'Nouveau mot de passe',
    second: 'Le même une seconde fois',
    missing: 'Saisissez un mot de passe.',
    different: 'Les deux mots de passe ne sont pas identiques.',
    resetButton: 'Définir le mot de passe',
    inviteButton: 'Accepter l’invitation',
    setupButton: 'Définir le mot de passe',
    rules: 'Ce qui fait un bon mot de passe',
    atLeast: (count) => `Au moins ${count} caractères. Quelques mots sans rapport entre eux conviennent bien.`,
    needsLowercase: 'Une lettre minuscule',
    needsUppercase: 'Une lettre majuscule',
    needsNumber: 'Un chiffre',
    needsSymbol: 'Un symbole, comme ! ou ?',
    notCommon: 'Rien que beaucoup d’autres utilisent, ni votre nom ou votre adresse',
    resetDone: 'Votre mot de passe est défini',
    resetDoneText: 'Désormais, connectez-vous avec le nouveau. Vous pouvez fermer cette page.',
    inviteDone: 'Votre compte est prêt',
    inviteDoneText: 'Votre mot de passe est défini et votre adresse e-mail confirmée. Vous pouvez fermer cette page.',
  },
  flaws: {
    too_short: (least) => `Le mot de passe doit compter au moins ${least} caractères.`,
    too_long: (_least, most) => `Le mot de passe peut compter au plus ${most} caractères.`,
    no_lowercase: () => 'Il manque une lettre minuscule au mot de passe.',
    no_uppercase: () => 'Il manque une lettre majuscule au mot de passe.',
    no_number: () => 'Il manque un chiffre au mot de passe.',
    no_symbol: () => 'Il manque un symbole au mot de passe.',
    common: () => 'Trop de personnes utilisent ce mot de passe. Choisissez-en un autre.',
    own_name: () => 'Le mot de passe ressemble trop à votre nom ou à votre adresse. Choisissez-en un autre.',
  },
  setupDone: {
    title: 'Tout est en place',
    name: (userName) =>
      `Votre nom d’utilisateur est « ${userName} ». Votre mot de passe est défini, et vous êtes connecté.`,
    next: 'Et maintenant',
    token:
      'Les programmes se connectent avec le jeton du fichier admin.pat, dans le dossier de données. Gardez-le comme une clé.',
    mail: 'Tant qu’aucun serveur de messagerie n’est configuré, chaque e-mail reste dans la boîte de développement.',
    api: 'L’API fait tout le reste : personnes, organisations, machines.',
  },
  forgotten: {
    title: 'Mot de passe oublié ?',
    lead: 'Indiquez votre nom d’utilisateur, et nous enverrons un lien à l’adresse e-mail de votre compte.',
    name: 'Nom d’utilisateur',
    missing: 'Saisissez votre nom d’utilisateur.',
    button: 'Envoyer un lien',
  },
  sent: {
    title: 'Regardez votre messagerie',
    text: 'S’il existe un compte correspondant, un e-mail contenant un lien est en route. Cela peut prendre une minute ; regardez aussi parmi les indésirables.',
    again:
      'Toujours rien après quelques minutes ? Vérifiez l’orthographe et recommencez, ou adressez-vous aux responsables de ce service.',
  },
  stale: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il a peut-être déjà servi, il est trop ancien, ou un plus récent l’a remplacé.',
    button: 'Envoyer un nouveau lien',
    setupText:
      'Il a peut-être déjà servi, il est trop ancien, ou un plus récent l’a remplacé. La personne qui gère le serveur en crée un nouveau avec la commande « signet setup-link ».',
  },
  incomplete: {
    title: 'Il manque un morceau du lien',
    text: 'Les messageries coupent parfois les longs liens. Copiez le lien entier de l’e-mail dans la barre d’adresse.',
  },
  busy: {
    title: 'Un instant, s’il vous plaît',
    text: 'Il y a beaucoup à faire ici en ce moment. Rien n’est perdu : revenez en arrière et réessayez dans quelques secondes.',
  },
  notFound: { title: 'Il n’y a rien ici', text: 'L’adresse est peut-être mal écrite, ou la page n’existe plus.' },
  notAllowed: { title: 'Pas de cette façon', text: 'Cette page ne peut pas être utilisée ainsi.' },
  crossSite: {
    title: 'Ceci vient d’ailleurs',
    text: 'Le formulaire n’a pas été envoyé depuis l’une de nos pages ; nous n’avons donc rien fait. Ouvrez de nouveau le lien de votre e-mail.',
  },
  unreadable: {
    title: 'Nous n’avons pas pu lire cela',
    text: 'Ce qui a été envoyé n’est pas l’un de nos formulaires, ou est beaucoup trop long.',
  },
  fault: {
    title: 'C’est notre erreur',
    text: 'Quelque chose s’est mal passé ici, pas chez vous. Merci de réessayer dans un moment.',
  },
  signInFailed: {
    title: 'La connexion n’a pas abouti',
    text: 'Elle a pris trop de temps, ou elle était déjà terminée. Revenez là où vous vouliez vous connecter et recommencez.',
  },
  home: 'Vers la page d’accueil',
  inbox: {
    title: 'Boîte de développement',
    lead: 'Tant qu’aucun serveur de messagerie n’est configuré, chaque e-mail reste ici. Seule cette machine peut voir cette page.',
    empty: 'Aucun e-mail pour l’instant.',
    to: 'À',
    at: 'Date',
    back: 'Tous les e-mails',
    asText: 'En texte brut',
    body: 'Texte de l’e-mail',
  },
}
