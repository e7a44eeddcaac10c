/** The texts of web keys, in French. */
import type { WebKeyTexts } from './en.ts'

export const fr: WebKeyTexts = {
  title: 'Clés web',
  key: 'Clé web',
  lead: 'Les clés qui signent les jetons. Une seule est active.',
  search: 'ID ou algorithme',
  published: 'Clés publiées (JWKS)',
  create: 'Créer une clé web',
  created: 'La clé web a été créée et publiée.',
  createHint: 'La clé est publiée aussitôt et ne signe rien tant que vous ne l’activez pas.',
  id: 'ID (kid)',
  algorithm: 'Algorithme',
  state: 'État',
  states: { initial: 'Publiée', active: 'Active', inactive: 'Inactive' },
  createdAt: 'Créée',
  changedAt: 'Modifiée',
  type: 'Type',
  typeHint: 'Tous les clients vérifient RSA avec SHA-256. Testez d’abord les autres avec vos clients.',
  bits: 'Longueur en bits',
  hash: 'Fonction de hachage',
  curve: 'Courbe',
  gone: 'Cette clé n’existe pas.',
  activeHint: 'Cette clé signe les jetons. Pour la supprimer, activez d’abord une autre clé.',
  activate: 'Activer',
  activated: 'La clé signe maintenant les jetons.',
  activateTitle: (id) => `Activer « ${id} » ?`,
  activateHint:
    'Les nouveaux jetons sont signés aussitôt avec cette clé. Les clients doivent avoir eu le temps de la charger : attendez au moins 10 minutes après sa création.',
  remove: 'Supprimer',
  removed: 'La clé a été supprimée.',
  removeConsequence: 'Les jetons qu’elle a signés ne peuvent plus être vérifiés.',
}
