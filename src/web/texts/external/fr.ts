/** The sentences of signing in with identity providers, in French. */
import type { externalTexts as english } from './en.ts'

export const externalTexts: typeof english = {
  external: {
    unknown: 'un fournisseur tiers',
    signInWith: (name) => `Continuer avec ${name}`,
    more: 'Autres moyens de connexion',
    goOnWith: (name) => `Continuer avec ${name}`,
    failed: {
      title: (name) => `Échec de la connexion avec ${name}`,
      text: 'La connexion a pris trop de temps, était déjà terminée ou n’est pas autorisée ici. Rien n’a été modifié. Réessayez.',
    },
    cancelled: {
      title: (name) => `Connexion avec ${name} annulée`,
      text: 'Rien n’a été modifié. Réessayez ou utilisez un autre moyen de connexion.',
    },
    unavailable: {
      title: (name) => `Connexion avec ${name} indisponible`,
      text: 'Le fournisseur ne répond pas correctement. Réessayez dans quelques minutes ou utilisez un autre moyen de connexion.',
    },
    taken: {
      title: 'Ce compte est déjà associé',
      text: (name, account) =>
        `Le compte ${name} « ${account} » est associé à un autre utilisateur. Pour vous connecter avec ce compte, déconnectez-vous d’abord.`,
    },
    unlinked: {
      title: (name) => `Ce compte ${name} ne peut pas être utilisé ici`,
      text: (name, account) =>
        `Le compte ${name} « ${account} » n’est associé à aucun utilisateur. Demandez l’accès à votre administrateur.`,
    },
    back: 'Retour à la connexion',
    link: {
      title: (name) => `Associer votre compte ${name} ?`,
      lead: (name, account, userName) =>
        `Vous avez utilisé le compte ${name} « ${account} ». Si vous l’associez, toute personne y ayant accès pourra se connecter en tant que « ${userName} ».`,
      yes: 'Associer le compte',
      no: 'Annuler',
    },
    welcome: {
      title: 'Bienvenue',
      lead: (name, account) => `Vous avez utilisé le compte ${name} « ${account} ».`,
      register: 'Vérifiez vos informations pour créer votre compte.',
      firstName: 'Prénom',
      lastName: 'Nom',
      userName: 'Nom d’utilisateur',
      email: 'Adresse e-mail',
      button: 'Créer un compte',
      firstNameWrong: 'Saisissez un prénom valide.',
      lastNameWrong: 'Saisissez un nom valide.',
      userNameWrong:
        'Ce nom d’utilisateur n’est pas disponible. Choisissez-en un autre. Une adresse e-mail n’est possible que si c’est la vôtre.',
      emailWrong: 'Saisissez une adresse e-mail valide.',
      known: 'Vous avez déjà un compte ?',
      knownText: 'Connectez-vous d’abord à ce compte. Vous pourrez ensuite associer les deux.',
      knownOnly:
        'Pour l’utiliser ici, connectez-vous d’abord à votre compte existant. Vous pourrez ensuite associer les deux.',
      signIn: 'Se connecter avec un compte existant',
    },
    account: {
      title: 'Comptes associés',
      lead: 'Connectez-vous avec un compte d’un autre fournisseur.',
      off: 'Indisponible pour le moment',
      link: (name) => `Associer ${name}`,
      more: 'Autres fournisseurs',
      other: 'Se connecter avec un autre compte',
    },
  },
}
