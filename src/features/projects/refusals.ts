/** Refusals about projects, their roles and their grants. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const projectRefusals = {
  'project.not_found': ['not_found', 'The project does not exist.'],
  'project.missing': ['precondition', 'The project does not exist. Create it first.'],
  'project.organization_not_found': ['precondition', 'The organization does not exist.'],
  'project.id_taken': ['conflict', 'The project ID is already taken.'],
  'project.id_invalid': ['invalid', 'The project ID is invalid.'],
  'project.name_taken': ['conflict', 'The organization already has a project with this name.'],
  'project.name_invalid': ['invalid', 'The project name is invalid.'],
  'project.not_active': ['precondition', 'The project is already deactivated.'],
  'project.not_inactive': ['precondition', 'The project is not deactivated.'],
  'project.is_api_project': [
    'precondition',
    'The project of the API cannot be deactivated or removed, nor the organization that owns it removed.',
  ],
  'project.query_invalid': ['invalid', 'The search query is invalid.'],
} as const satisfies Catalogue

/** A code about projects. */
export type ProjectRefusal = keyof typeof projectRefusals

export const projectRoleRefusals = {
  'project_role.not_found': ['not_found', 'The project does not have this role.'],
  'project_role.exists': ['conflict', 'The project already has a role with this key.'],
  'project_role.key_invalid': ['invalid', 'The role key is invalid.'],
  'project_role.duplicate': ['invalid', 'A role key occurs more than once.'],
} as const satisfies Catalogue

/** A code about roles of projects. */
export type ProjectRoleRefusal = keyof typeof projectRoleRefusals

export const projectGrantRefusals = {
  'project_grant.not_found': ['not_found', 'The project is not granted to this organization.'],
  'project_grant.id_taken': ['conflict', 'The ID of the project grant is already taken.'],
  'project_grant.exists': ['conflict', 'The project is already granted to this organization.'],
  'project_grant.own_organization': ['precondition', 'A project cannot be granted to its own organization.'],
  'project_grant.organization_not_found': ['precondition', 'The organization does not exist.'],
  'project_grant.role_not_found': ['precondition', 'The project does not have one of these roles.'],
} as const satisfies Catalogue

/** A code about grants of projects. */
export type ProjectGrantRefusal = keyof typeof projectGrantRefusals
