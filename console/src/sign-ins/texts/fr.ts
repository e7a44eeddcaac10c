/** The words for sign-ins, in French. */
import type { MethodName } from '../names.ts'
import type { SignInWords } from './en.ts'

const withMethod: Readonly<Record<MethodName, string>> = {
  passkey: ' avec une clé d’accès',
  password: ' avec un mot de passe',
  provider: ' via un fournisseur d’identité',
  code: ' avec un code à usage unique',
}

const to = (application: string | undefined) => (application ? ` à ${application}` : '')
/** Before a vowel the word is shortened; before an h it depends on the name. */
const of = (user: string | undefined) =>
  user ? (/^[aeiouàâäéèêëîïôöùûü]/i.test(user) ? ` d’${user}` : ` de ${user}`) : ''

export const fr: SignInWords = {
  succeeded: ({ user, application, method }) =>
    `Connexion${of(user)}${to(application)}${method ? withMethod[method] : ''}`,
  failed: ({ user, application, reason }) =>
    `Échec de la connexion${of(user)}${to(application)}${reason ? ` : ${reason}` : ''}`,
  pending: ({ user, application }) => `Connexion${of(user)}${to(application)} inachevée`,
  more: (name, count) => (count === 1 ? `${name} et 1 autre` : `${name} et ${count} autres`),
  outcomes: { succeeded: 'Réussie', failed: 'Échouée', pending: 'Inachevée' },
  methods: {
    passkey: 'Clé d’accès',
    password: 'Mot de passe',
    provider: 'Fournisseur d’identité',
    code: 'Code à usage unique',
  },
  failures: {
    unknownUser: 'utilisateur inconnu',
    userLocked: 'l’utilisateur est verrouillé',
    userInactive: 'l’utilisateur est désactivé',
    wrongPassword: 'mot de passe incorrect',
    wrongTotp: 'code de l’application d’authentification incorrect',
    wrongCode: 'code reçu par e-mail ou SMS incorrect',
    wrongRecoveryCode: 'code de récupération incorrect',
    passkey: 'la clé d’accès n’a pas été acceptée',
    provider: 'la connexion auprès du fournisseur d’identité a échoué',
    factorLocked: 'trop de tentatives incorrectes',
    notAllowed: 'un paramètre ne le permet pas',
    unknownClient: 'application inconnue',
    wrongSecret: 'secret client incorrect',
    wrongRedirectUri: 'URI de redirection incorrecte',
  },
  steps: {
    user: 'Utilisateur identifié',
    password: 'Mot de passe',
    passkey: 'Clé d’accès',
    provider: 'Fournisseur d’identité',
    totp: 'Application d’authentification',
    sms: 'Code par SMS',
    email: 'Code par e-mail',
    recovery: 'Code de récupération',
    secondFactor: 'Second facteur',
    passwordChange: 'Changement de mot de passe',
    application: 'Application',
  },
  results: { passed: 'Réussi', failed: 'Échoué', required: 'Exigé' },
  decidedBy: 'Décidé par',
  levels: {
    instance: 'paramètre de l’instance',
    organization: 'paramètre de l’organisation',
    application: 'paramètre du projet',
    user: 'défini pour cet utilisateur',
  },
  values: { true: 'activé', false: 'désactivé', PASSKEYS_TYPE_NOT_ALLOWED: 'non autorisé' },
  passwordChangeRequired: 'Changement de mot de passe exigé',
  moreSteps: (count) =>
    count === 1 ? '1 autre étape n’est pas affichée.' : `${count} autres étapes ne sont pas affichées.`,
  noSteps: 'Aucune étape n’a été enregistrée.',
  stepsTitle: 'Étapes',
}
