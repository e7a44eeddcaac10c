/** The texts of the first steps with an application, in French. */
import type { StartTexts } from './en.ts'

export const fr: StartTexts = {
  settings: 'Variables d’environnement',
  settingsHint:
    'Enregistrez-les dans un fichier .env à côté de votre code, et ne versionnez pas ce fichier. Le fichier téléchargé s’appelle app.env : renommez-le en .env.',
  secretUnknown:
    'Remplacez YOUR_CLIENT_SECRET par le secret que vous avez enregistré. S’il est perdu, générez-en un nouveau sous « Identifiants ».',
  audience: 'Audience',
  audienceUnknown:
    'Remplacez YOUR_API_ADDRESS par l’adresse de l’API. Ajoutez-la au projet, sous « API » : les jetons sont émis pour les adresses de cette liste.',
  download: 'Télécharger .env',
  code: 'Code',
  codeHint: 'Une petite application complète. Prenez-y ce dont vous avez besoin.',
  framework: 'Framework',
  create: 'Nouveau projet',
  install: 'Installer',
  run: 'Lancer',
  try: 'Essayer',
  trial: {
    hint: 'Exécute la connexion à cette application avec votre propre compte et montre ce que l’application apprendrait sur vous. L’application ne reçoit rien.',
    button: 'Essayer la connexion',
    waiting: 'Terminez la connexion dans l’autre fenêtre.',
    blocked:
      'Votre navigateur a bloqué la fenêtre de connexion. Autorisez les fenêtres pop-up pour cette page, puis réessayez.',
    failed: 'La connexion a échoué',
    works: 'La connexion fonctionne',
    worksText: (name: string) => `${name} : connexion réussie. Voici ce que l’application recevrait :`,
    idToken: 'Jeton d’identité',
    userinfo: 'Userinfo',
    returnTitle: 'C’est terminé ici',
    returnText: 'Fermez cette fenêtre et revenez à la console.',
  },
  firstSignIn: {
    waiting: 'En attente de la première connexion depuis votre application…',
    done: (name: string) =>
      name === ''
        ? 'Votre application fonctionne : première connexion réussie.'
        : `Votre application fonctionne : connexion de ${name}.`,
  },
  secret: {
    leaveTitle: 'Quitter la page sans copier le secret ?',
    leaveText: 'Il ne pourra plus être affiché. Vous devriez en générer un nouveau.',
    leave: 'Quitter',
    stay: 'Rester',
  },
}
