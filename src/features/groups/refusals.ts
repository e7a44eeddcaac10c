/** Refusals about groups and the users in them. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const groupRefusals = {
  'group.not_found': ['not_found', 'The group does not exist.'],
  'group.missing': ['precondition', 'The group does not exist. Create it first.'],
  'group.organization_not_found': ['precondition', 'The organization does not exist.'],
  'group.id_taken': ['conflict', 'The group ID is already taken.'],
  'group.id_invalid': ['invalid', 'The group ID is invalid.'],
  'group.name_taken': ['conflict', 'The organization already has a group with this name.'],
  'group.name_invalid': ['invalid', 'The group name is invalid.'],
  'group.description_invalid': ['invalid', 'The description of the group is invalid.'],
  'group.user_not_found': ['precondition', 'One of the users does not exist in the organization of the group.'],
  'group.managed': [
    'precondition',
    'A directory manages this group. Change its name and members in the directory, or detach the group from it first.',
  ],
  'group.query_invalid': ['invalid', 'The search query is invalid.'],
} as const satisfies Catalogue

/** A code of this module. */
export type GroupRefusal = keyof typeof groupRefusals
