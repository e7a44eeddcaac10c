/** The sentences of signing in, in French. */
import type { signInTexts as english } from './en.ts'

export const signInTexts: typeof english = {
  insecure: {
    title: 'Connexion non sécurisée',
    text: 'Une connexion chiffrée est nécessaire. Ouvrez cette page avec une adresse qui commence par https://.',
  },
  wait: {
    title: 'Veuillez patienter',
    text: 'Trop de tentatives.',
    again: 'Réessayer',
    seconds: (count) => (count === 1 ? 'Réessayez dans 1 seconde.' : `Réessayez dans ${count} secondes.`),
    minutes: (count) => `Réessayez dans ${count} minutes.`,
  },
  signIn: {
    title: 'Se connecter',
    name: 'Nom d’utilisateur ou adresse e-mail',
    password: 'Mot de passe',
    show: 'Afficher le mot de passe',
    button: 'Se connecter',
    or: 'ou',
    passkey: 'Se connecter avec une clé d’accès',
    nameMissing: 'Saisissez votre nom d’utilisateur ou votre adresse e-mail.',
    passwordMissing: 'Saisissez votre mot de passe.',
    refused:
      'Le nom d’utilisateur, l’adresse e-mail ou le mot de passe est incorrect, ou ce compte est actuellement indisponible.',
  },
  again: {
    title: 'Confirmez votre identité',
    lead: (userName) =>
      `Votre session est ouverte en tant que « ${userName} ». Confirmez votre identité pour modifier vos paramètres de connexion.`,
    button: 'Continuer',
    passkey: 'Utiliser une clé d’accès',
  },
  keys: {
    cancelled: 'La demande a été annulée ou a expiré. Réessayez.',
    known: 'Cet appareil ou cette clé de sécurité est déjà enregistré.',
    failed: 'Votre navigateur n’a pas pu terminer l’opération. Essayez une autre méthode.',
    unsupported: 'Ce navigateur ne prend pas en charge les clés d’accès. Utilisez un navigateur plus récent.',
    needsScript: 'Les clés d’accès nécessitent JavaScript. Activez-le dans les paramètres de votre navigateur.',
    unavailable: 'Aucune clé d’accès ne peut être utilisée sur ce site. Essayez une autre méthode.',
    tooLate: 'La demande a expiré. Rechargez la page et réessayez.',
    refused: 'La clé d’accès ou la clé de sécurité n’a pas été reconnue, ou la demande a expiré. Réessayez.',
  },
  secondFactor: {
    title: 'Validation en deux étapes',
    lead: {
      u2f: 'Utilisez votre clé de sécurité.',
      totp: 'Saisissez le code de votre application d’authentification. Chaque code ne peut être utilisé qu’une fois. Si vous venez de l’utiliser, attendez le suivant.',
      otp_email: 'Nous enverrons un code de vérification à votre adresse e-mail.',
      otp_sms: 'Nous enverrons un code de vérification à votre téléphone.',
      recovery_code: 'Saisissez l’un de vos codes de récupération. Chaque code ne peut être utilisé qu’une fois.',
    },
    sent: {
      otp_email: 'Nous avons envoyé un code de vérification à votre adresse e-mail. Il est valable 5 minutes.',
      otp_sms: 'Nous avons envoyé un code de vérification à votre téléphone. Il est valable 5 minutes.',
    },
    code: {
      totp: 'Code de vérification',
      otp_email: 'Code de vérification',
      otp_sms: 'Code de vérification',
      recovery_code: 'Code de récupération',
    },
    names: {
      u2f: 'Clé de sécurité',
      totp: 'Application d’authentification',
      otp_email: 'Code par e-mail',
      otp_sms: 'Code par SMS',
      recovery_code: 'Code de récupération',
    },
    button: 'Continuer',
    useKey: 'Utiliser la clé de sécurité',
    send: 'Envoyer le code',
    sendAgain: 'Envoyer un nouveau code',
    others: 'Essayer une autre méthode',
    missing: 'Saisissez le code.',
    refused: 'Ce code est incorrect, a expiré ou a déjà été utilisé. Réessayez avec un nouveau code.',
    notSent: 'Le code n’a pas pu être envoyé. Essayez une autre méthode.',
  },
  requiredFactor: {
    title: 'Configurez la validation en deux étapes',
    lead: 'Votre organisation exige une deuxième étape à la connexion. Configurez-la une fois pour continuer.',
    none: 'Votre organisation exige la validation en deux étapes, mais aucune méthode n’est disponible pour vous. Contactez votre administrateur.',
    app: 'Configurer une application d’authentification',
    key: 'Configurer une clé de sécurité',
  },
  app: {
    title: 'Configurez votre application d’authentification',
    lead: 'Scannez le code QR avec votre application. Saisissez ensuite le code affiché par l’application.',
    picture: 'Code QR pour l’application d’authentification',
    byHand: 'Impossible de scanner ? Saisissez cette clé dans votre application :',
    code: 'Code de vérification',
    button: 'Terminer la configuration',
    refused: 'Ce code est incorrect. Saisissez le code actuel de votre application.',
  },
  signedIn: {
    title: 'Connexion réussie',
    lead: (userName) => `Bienvenue, ${userName}. Redirection en cours…`,
    go: 'Continuer',
    account: 'Accéder à votre compte',
  },
  signedOut: {
    title: 'Déconnexion réussie',
    lead: 'Votre session dans ce navigateur est terminée.',
    again: 'Se reconnecter',
  },
  changePassword: {
    title: 'Modifiez votre mot de passe',
    firstTitle: 'Choisissez un mot de passe',
    required: 'Remplacez votre mot de passe provisoire par un nouveau pour continuer.',
    current: 'Mot de passe actuel',
    currentMissing: 'Saisissez votre mot de passe actuel.',
    wrong: 'Le mot de passe actuel est incorrect.',
  },
  registerPasskey: {
    title: 'Ajoutez une clé d’accès',
    lead: 'Connectez-vous avec votre empreinte digitale, votre visage ou le code de votre appareil, sans mot de passe.',
    refused:
      'La clé d’accès n’a pas pu être ajoutée. Le lien a peut-être expiré, déjà été utilisé ou été remplacé par un plus récent. Demandez un nouveau lien.',
    done: 'Clé d’accès ajoutée',
    doneText: 'Vous pouvez maintenant vous connecter avec votre clé d’accès.',
  },
  setUpPasskey: {
    button: 'Utiliser plutôt une clé d’accès',
    done: (userName) =>
      `Votre nom d’utilisateur est « ${userName} » et votre clé d’accès est enregistrée. Utilisez-la maintenant pour vous connecter.`,
  },
  setUpInsecure: {
    title: 'Configuration impossible à cette adresse',
    why: 'Vous avez ouvert cette page en http:// à une adresse qui n’est pas cette machine. Les navigateurs ne proposent les clés d’accès (passkeys) qu’en https:// et ne conservent pas de cookie de session ici : vous ne pourriez pas vous connecter ensuite. Rien n’a été modifié et votre lien reste valide.',
    how: 'Ouvrez le lien avec une adresse qui commence par https:// et définissez SIGNET_EXTERNAL_URL avec cette adresse. Sur la machine du serveur, http://localhost fonctionne aussi.',
  },
  userName: 'Nom d’utilisateur',
}
