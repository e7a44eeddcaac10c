/** The texts of the first page, in French. */
import type { HomeTexts } from './en.ts'

export const fr: HomeTexts = {
  title: 'Accueil',
  welcome: (name) => `Bienvenue, ${name}`,
  protect: {
    title: 'Protégez votre application',
    hint: 'La connexion en trois étapes : choisir un framework, nommer l’application, copier le code.',
    button: 'Protéger une application',
  },
  server: 'Serveur',
  version: 'Version',
  address: 'Adresse de ce serveur',
  healthy: 'Prêt',
  unhealthy: 'Pas prêt',
  users: 'Utilisateurs',
  sessions: 'Sessions en cours',
  mailsWaiting: 'E-mails en attente',
  mailsFailed: 'E-mails échoués',
  standing: {
    title: 'Jetons d’administrateurs qui n’expirent jamais',
    hint: 'Qui possède un tel jeton peut tout faire ici, jusqu’à ce qu’il soit renouvelé ou supprimé. Le premier démarrage en a écrit un dans admin.pat.',
    user: 'Utilisateur',
    created: 'Créé',
    used: 'Dernière utilisation',
    notUsed: 'Pas encore',
    open: 'Renouveler ou supprimer',
  },
  checklist: {
    title: 'Avant que d’autres en dépendent',
    allDone: 'Tout est configuré.',
    open: (count) => (count === 1 ? '1 étape est ouverte.' : `${count} étapes sont ouvertes.`),
    done: 'Fait :',
    notDone: 'Ouvert :',
    mail: { label: 'Serveur de messagerie', hint: 'Sans lui, aucun e-mail ne quitte ce serveur.' },
    address: {
      label: 'Adresse publique',
      hint: 'Seule cette machine atteint l’adresse. Définissez SIGNET_EXTERNAL_URL avec l’adresse publique.',
    },
    administrator: {
      label: 'Second administrateur',
      hint: 'Si le seul perd sa clé d’accès, la console est fermée à tous.',
    },
    passkey: { label: 'Votre clé d’accès', hint: 'Protège votre compte mieux qu’un mot de passe.' },
  },
}
