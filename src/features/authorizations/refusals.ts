/** Refusals about authorizations. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const authorizationRefusals = {
  'authorization.not_found': ['not_found', 'The authorization does not exist.'],
  'authorization.id_taken': ['conflict', 'The ID of the authorization is already taken.'],
  'authorization.exists': ['conflict', 'The user already has an authorization of this organization for the project.'],
  'authorization.group_exists': [
    'conflict',
    'The group already has an authorization of this organization for the project.',
  ],
  'authorization.holder_invalid': ['invalid', 'Name either a user or a group.'],
  'authorization.group_not_found': ['precondition', 'The group does not exist.'],
  'authorization.user_not_found': ['precondition', 'The user does not exist.'],
  'authorization.project_not_found': ['precondition', 'The project does not exist.'],
  'authorization.project_not_granted': [
    'precondition',
    'The organization does not own the project, and the project is not granted to it.',
  ],
  'authorization.role_not_found': ['precondition', 'The project or its grant does not have one of these roles.'],
  'authorization.unchanged': ['precondition', 'The user already has exactly these roles.'],
  'authorization.query_invalid': ['invalid', 'The search query is invalid.'],
} as const satisfies Catalogue

/** A code of this module. */
export type AuthorizationRefusal = keyof typeof authorizationRefusals
