/** The texts of groups, in English. */
import type { Sentences } from '../../../texts/languages.ts'

export const en = {
  title: 'Groups',
  hint: 'Users of an organization who get project roles together.',
  name: 'Name',
  nameHint: 'Must be unique within the organization.',
  description: 'Description',
  id: 'Group ID',
  created: 'Created',
  changed: 'Changed',
  create: 'Create group',
  createDone: 'Group created.',
  empty: 'No groups yet.',
  tabs: { users: 'Users', roles: 'Roles', settings: 'Settings', danger: 'Delete' },
  users: {
    hint: 'Users have the roles of the group while they are in it.',
    user: 'User',
    joined: 'Joined',
    actions: 'Actions',
    add: 'Add user',
    addDone: 'User added to the group.',
    addHint: 'Only users of the group’s organization can be added.',
    remove: 'Remove',
    removeDone: 'User removed from the group.',
    removeHint: 'The user loses the roles of the group immediately.',
    empty: 'No users in this group yet.',
  },
  danger: {
    remove: 'Delete',
    removeHint: 'Permanently deletes the group. Its users lose the roles that they have through it.',
    removeDone: 'Group deleted.',
  },
} as const

export type GroupTexts = Sentences<typeof en>
