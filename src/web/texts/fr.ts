/** Every sentence of the hosted pages, in French. Spaces before ? : ; » and after « are non-breaking (U+00A0). */
import { accountTexts } from './account/fr.ts'
import { applicationTexts } from './applications/fr.ts'
import { approvalTexts } from './approvals/fr.ts'
import type { Texts } from './en.ts'
import { externalTexts } from './external/fr.ts'
import { methodTexts } from './methods/fr.ts'
import { personalTexts } from './personal/fr.ts'
import { signInTexts } from './sign-in/fr.ts'

export const fr: Texts = {
  ...signInTexts,
  ...accountTexts,
  ...applicationTexts,
  ...approvalTexts,
  ...externalTexts,
  ...methodTexts,
  ...personalTexts,
  languages: 'Langues',
  summary: 'Un problème est survenu',
  start: {
    title: 'Bienvenue',
    lead: 'Connectez-vous pour gérer votre compte, vos clés d’accès et les applications que vous utilisez.',
    forgotten: 'Mot de passe oublié ?',
    api: 'Référence de l’API (OpenAPI)',
    inbox: 'Boîte de réception de développement',
    health: 'État du serveur',
    developers: 'Pour le développement et l’exploitation',
  },
  verifyEmail: {
    title: 'Confirmez votre adresse e-mail',
    lead: 'Confirmez que cette adresse e-mail vous appartient.',
    code: 'Code de vérification',
    codeMissing: 'Saisissez le code de vérification reçu par e-mail.',
    button: 'Confirmer l’adresse e-mail',
    done: 'Adresse e-mail confirmée',
    doneText: 'Merci. Vous pouvez fermer cette page.',
  },
  password: {
    resetTitle: 'Choisissez un nouveau mot de passe',
    resetLead:
      'Le nouveau mot de passe remplace l’ancien. Vous pouvez aussi utiliser une clé d’accès pour vous connecter.',
    inviteTitle: 'Acceptez l’invitation',
    inviteLead:
      'Choisissez un mot de passe ou utilisez une clé d’accès pour finaliser la création de votre compte. Votre adresse e-mail sera également confirmée.',
    setupTitle: 'Configurez Signet',
    recoverTitle: 'Retrouver l’accès à votre compte',
    setupLead: 'Choisissez un mot de passe pour votre compte administrateur ou utilisez une clé d’accès.',
    first: 'Nouveau mot de passe',
    second: 'Confirmer le mot de passe',
    missing: 'Saisissez un mot de passe.',
    different: 'Les mots de passe ne correspondent pas.',
    resetButton: 'Définir le mot de passe',
    inviteButton: 'Accepter l’invitation',
    setupButton: 'Définir le mot de passe',
    rules: 'Critères du mot de passe',
    atLeast: (count) => `Au moins ${count} caractères`,
    needsLowercase: 'Une lettre minuscule',
    needsUppercase: 'Une lettre majuscule',
    needsNumber: 'Un chiffre',
    needsSymbol: 'Un caractère spécial, par exemple ! ou ?',
    notCommon: 'Pas de mot de passe courant, ni votre nom ni votre adresse e-mail',
    resetDone: 'Mot de passe défini',
    resetDoneText:
      'Utilisez votre nouveau mot de passe lors de votre prochaine connexion. Vous pouvez fermer cette page.',
    inviteDone: 'Votre compte est prêt',
    inviteDoneText:
      'Votre mot de passe est défini et votre adresse e-mail est confirmée. Vous pouvez fermer cette page.',
  },
  flaws: {
    too_short: (least) => `Le mot de passe doit contenir au moins ${least} caractères.`,
    too_long: (_least, most) => `Le mot de passe doit contenir au maximum ${most} caractères.`,
    no_lowercase: () => 'Le mot de passe doit contenir une lettre minuscule.',
    no_uppercase: () => 'Le mot de passe doit contenir une lettre majuscule.',
    no_number: () => 'Le mot de passe doit contenir un chiffre.',
    no_symbol: () => 'Le mot de passe doit contenir un caractère spécial.',
    common: () => 'Ce mot de passe est trop courant. Choisissez-en un autre.',
    own_name: () => 'Ce mot de passe ressemble trop à votre nom ou à votre adresse e-mail. Choisissez-en un autre.',
  },
  setupEmail: {
    lead: 'Saisissez votre adresse e-mail. Vous recevrez un message pour la vérifier.',
    label: 'Adresse e-mail',
    wrong: 'Saisissez une adresse e-mail valide.',
    button: 'Continuer',
  },
  setupDone: {
    title: 'Configuration terminée',
    name: (userName) =>
      `Votre nom d’utilisateur est « ${userName} ». Votre mot de passe est défini et votre session est ouverte.`,
    next: 'Étapes suivantes',
    console: 'Gérez les utilisateurs, les organisations, les projets et les applications dans la console.',
    token:
      'Les clients de l’API se connectent avec le jeton du fichier admin.pat, dans le dossier de données. Gardez-le secret.',
    mail: 'Tant qu’aucun serveur de messagerie n’est configuré, tous les e-mails arrivent dans la boîte de réception de développement.',
    api: 'Tout ce que fait la console, l’API le fait aussi.',
  },
  forgotten: {
    title: 'Réinitialisez votre mot de passe',
    lead: 'Saisissez votre nom d’utilisateur ou votre adresse e-mail. Nous vous enverrons par e-mail un lien pour réinitialiser votre mot de passe.',
    name: 'Nom d’utilisateur ou adresse e-mail',
    missing: 'Saisissez votre nom d’utilisateur ou votre adresse e-mail.',
    button: 'Envoyer le lien',
    closed: 'Votre mot de passe ne peut pas être réinitialisé ici. Contactez votre administrateur.',
  },
  sent: {
    title: 'Consultez vos e-mails',
    text: 'S’il existe un compte correspondant, vous recevrez un e-mail contenant un lien dans quelques minutes. Vérifiez aussi vos courriers indésirables.',
    again: 'Pas d’e-mail ? Vérifiez votre saisie et réessayez, ou contactez votre administrateur.',
  },
  stale: {
    title: 'Ce lien n’est pas valide',
    text: 'Il a expiré, a déjà été utilisé ou a été remplacé par un lien plus récent. Demandez un nouveau lien.',
    button: 'Envoyer un nouveau lien',
    setupText:
      'Il a expiré, a déjà été utilisé ou a été remplacé par un lien plus récent. Pour en créer un nouveau, exécutez « signet setup-link » sur le serveur, ou « signet admin recover » si le compte était déjà configuré.',
  },
  incomplete: {
    title: 'Ce lien est incomplet',
    text: 'Certaines messageries coupent les longs liens. Copiez le lien complet de l’e-mail dans la barre d’adresse.',
  },
  busy: {
    title: 'Veuillez réessayer',
    text: 'Le serveur est surchargé. Réessayez dans quelques secondes.',
  },
  notFound: {
    title: 'Page introuvable',
    text: 'Vérifiez l’adresse. La page a peut-être été déplacée ou supprimée.',
  },
  notAllowed: { title: 'Requête non autorisée', text: 'Cette page n’accepte pas ce type de requête.' },
  crossSite: {
    title: 'Requête bloquée',
    text: 'Le formulaire a été envoyé depuis un autre site. Rien n’a été modifié. Ouvrez de nouveau la page ou le lien de votre e-mail.',
  },
  unreadable: {
    title: 'Requête non valide',
    text: 'Le formulaire n’a pas pu être lu ou est trop volumineux. Revenez en arrière et réessayez.',
  },
  fault: {
    title: 'Une erreur est survenue',
    text: 'Le problème vient de notre côté. Réessayez dans quelques minutes.',
  },
  signInFailed: {
    title: 'Échec de la connexion',
    text: 'La connexion a pris trop de temps ou était déjà terminée. Revenez à l’application et recommencez.',
  },
  home: 'Aller à la page d’accueil',
  inbox: {
    title: 'Boîte de réception de développement',
    lead: 'Aucun serveur de messagerie n’est configuré : tous les e-mails arrivent ici. Cette page n’est accessible que depuis cette machine.',
    locked:
      'Ouvrez le lien vers la boîte de réception que le serveur affiche au démarrage. Sa clé se trouve dans le fichier « inbox-key » du dossier de données.',
    empty: 'Aucun e-mail pour le moment.',
    to: 'À',
    at: 'Date',
    back: 'Tous les e-mails',
    asText: 'Texte brut',
    body: 'Contenu de l’e-mail',
  },
}
