/** The sentences of signing in with accounts at other services, in French. */
import type { externalTexts as english } from './en.ts'

export const externalTexts: typeof english = {
  external: {
    unknown: 'un autre service',
    signInWith: (name) => `Se connecter avec ${name}`,
    more: 'D’autres façons de se connecter',
    goOnWith: (name) => `Continuer avec ${name}`,
    failed: {
      title: (name) => `La connexion avec ${name} n’a pas marché`,
      text: 'C’était trop long, déjà terminé, ou ce n’est pas possible ici. Rien n’a changé ; vous pouvez réessayer.',
    },
    cancelled: {
      title: (name) => `Vous ne vous êtes pas connecté avec ${name}`,
      text: 'C’était annulé là-bas, ou pas permis. Rien n’a changé ; vous pouvez réessayer ou choisir une autre voie.',
    },
    unavailable: {
      title: (name) => `La connexion avec ${name} est impossible en ce moment`,
      text: 'La réponse attendue ne vient pas. Réessayez dans quelques minutes, ou choisissez une autre voie.',
    },
    taken: {
      title: 'Ce compte est déjà lié',
      text: (name, account) =>
        `Le compte « ${account} » chez ${name} appartient ici à quelqu’un d’autre. Pour l’utiliser, déconnectez-vous d’abord.`,
    },
    nobody: {
      title: (name) => `Ce compte chez ${name} ne peut pas servir ici`,
      text: (name, account) =>
        `Le compte « ${account} » chez ${name} n’appartient à personne ici. Adressez-vous aux personnes qui gèrent ce service.`,
    },
    back: 'Retour à la connexion',
    link: {
      title: (name) => `Lier votre compte chez ${name} ?`,
      lead: (name, account, userName) =>
        `Vous vous êtes connecté avec le compte « ${account} » chez ${name}. Si vous le liez, qui peut s’en servir peut se connecter ici en tant que « ${userName} ».`,
      yes: 'Oui, le lier',
      no: 'Non, ne rien faire',
    },
    welcome: {
      title: 'Bienvenue',
      lead: (name, account) => `Vous vous êtes connecté avec le compte « ${account} » chez ${name}.`,
      register: 'Relisez ceci une fois, et votre compte ici est prêt.',
      firstName: 'Prénom',
      lastName: 'Nom',
      userName: 'Nom d’utilisateur',
      email: 'Adresse e-mail',
      button: 'Créer le compte',
      firstNameWrong: 'Saisissez un prénom utilisable.',
      lastNameWrong: 'Saisissez un nom utilisable.',
      userNameWrong:
        'Ce nom d’utilisateur ne peut pas servir ici. Choisissez-en un autre ; une adresse e-mail seulement si c’est la vôtre.',
      emailWrong: 'Saisissez une adresse e-mail.',
      known: 'Avez-vous déjà un compte ici ?',
      knownText: 'Connectez-vous d’abord avec lui ; on vous demandera ensuite s’il faut lier les deux.',
      knownOnly:
        'Pour l’utiliser ici, connectez-vous d’abord avec le compte que vous avez ici ; on vous demandera ensuite s’il faut lier les deux.',
      signIn: 'Me connecter avec mon compte',
    },
    account: {
      title: 'Comptes chez d’autres services',
      lead: 'Avec un compte que vous avez ailleurs, vous vous connectez ici aussi.',
      off: 'ne peut pas servir en ce moment',
      link: (name) => `Lier ${name}`,
      more: 'D’autres services',
      other: 'Se connecter en tant que quelqu’un d’autre',
    },
  },
}
