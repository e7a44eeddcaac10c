/** The texts of groups, in French. */
import type { GroupTexts } from './en.ts'

export const fr: GroupTexts = {
  title: 'Groupes',
  hint: 'Des utilisateurs d’une organisation qui reçoivent ensemble des rôles de projets.',
  name: 'Nom',
  nameHint: 'Doit être unique dans l’organisation.',
  description: 'Description',
  id: 'ID du groupe',
  created: 'Créé',
  changed: 'Modifié',
  create: 'Créer un groupe',
  createDone: 'Le groupe a été créé.',
  empty: 'Aucun groupe pour l’instant.',
  tabs: { users: 'Utilisateurs', roles: 'Rôles', settings: 'Paramètres', danger: 'Supprimer' },
  users: {
    hint: 'Les utilisateurs ont les rôles du groupe tant qu’ils en font partie.',
    user: 'Utilisateur',
    joined: 'Ajouté',
    actions: 'Actions',
    add: 'Ajouter un utilisateur',
    addDone: 'L’utilisateur a été ajouté au groupe.',
    addHint: 'Seuls les utilisateurs de l’organisation du groupe peuvent être ajoutés.',
    remove: 'Retirer',
    removeDone: 'L’utilisateur a été retiré du groupe.',
    removeHint: 'L’utilisateur perd immédiatement les rôles du groupe.',
    empty: 'Aucun utilisateur dans ce groupe pour l’instant.',
  },
  danger: {
    remove: 'Supprimer',
    removeHint: 'Supprime définitivement le groupe. Ses utilisateurs perdent les rôles qu’ils ont grâce à lui.',
    removeDone: 'Le groupe a été supprimé.',
  },
}
