/** The texts of the audit, in French. */
import type { AuditTexts } from './en.ts'

export const fr: AuditTexts = {
  title: 'Tous les événements',
  description: 'Tout ce qui a changé, et qui l’a changé.',
  live: 'En direct',
  liveHint: (count) => (count === 0 ? 'En attente de nouveaux événements …' : `${count} nouveaux depuis l’activation`),
  export: 'Exporter en NDJSON',
  exporting: (count) => `Arrêter (${count.toLocaleString('fr')} événements)`,
  sequence: 'N°',
  when: 'Quand',
  what: 'Ce qui s’est passé',
  editor: 'Par l’utilisateur',
  aggregate: 'Concerne',
  type: 'Type d’événement',
  kind: 'Type d’objet',
  since: 'De',
  until: 'À',
  editors: { system: 'Le serveur', visitor: 'Un visiteur', anonymous: 'Un appelant sans jeton' },
  older: 'Afficher les plus anciens',
  by: 'Par',
  object: 'Objet',
  user: 'Utilisateur',
  application: 'Application',
  organization: 'Organisation',
  provider: 'Fournisseur d’identité',
  outcome: 'Résultat',
  reason: 'Raison',
  method: 'Méthode',
  signIns: 'Connexions',
  signInsDescription: 'Qui s’est connecté, où et comment, et les raisons des échecs. Conservé 90 jours.',
  signIn: 'Connexion',
  refused: 'Requêtes d’applications refusées, 7 derniers jours',
  refusedHint:
    'Secrets client et URI de redirection incorrects, regroupés par valeur reçue. Les requêtes d’applications inconnues sont seulement comptées.',
  times: (count) => (count === 1 ? 'une fois,' : `${count.toLocaleString('fr')} fois, la dernière`),
  openSignIn: 'Ouvrir comme page',
  facts: 'Aperçu',
  stepsHint: 'Ce qui a été vérifié, et le paramètre qui a décidé.',
  tokens: 'Afficher les événements de jetons courants',
  tokensHint:
    'Codes et jetons émis pour cette console et pour les applications dont les utilisateurs sont déjà connectés.',
  hidden: (count) =>
    count === 1
      ? '1 événement de jeton courant est masqué.'
      : `${count.toLocaleString('fr')} événements de jetons courants sont masqués.`,
  groups: {
    signIn: 'Connexion',
    users: 'Utilisateurs',
    applications: 'Applications',
    organizations: 'Organisations',
    settings: 'Paramètres',
    server: 'Serveur',
    other: 'Autres',
  },
}
