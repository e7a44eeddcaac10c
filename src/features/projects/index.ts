/**
 * Projects: what applications and roles belong to, the roles of a project, and the grants by which other organizations
 * give those roles to their users. Who holds which role is in `authorizations`.
 */

import type { Catalogue } from '../../kernel/refusal.ts'
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { carriedGrants, carriedProjects } from './carried.ts'
import { projectRoles } from './documents.ts'
import { keepApiProject } from './handlers/change-project.ts'
import { removeProjectsOf } from './handlers/remove-of-organization.ts'
import { projectJobs } from './jobs.ts'
import { projectGrantRefusals, projectRefusals, projectRoleRefusals } from './refusals.ts'
import { projectMethodsV1, roleMethodsV1 } from './rpc-v1.ts'
import { grantMethodsV1 } from './rpc-v1-grants.ts'
import { grantMethodsV2, projectMethodsV2, roleMethodsV2 } from './rpc-v2.ts'

export const projectsModule = module({
  name: 'projects',
  kinds: [carriedProjects, carriedGrants, ...within('project', projectRoles)],
  methods: (app) => [
    ...projectMethodsV1(app),
    ...roleMethodsV1(app),
    ...grantMethodsV1(app),
    ...projectMethodsV2(app),
    ...roleMethodsV2(app),
    ...grantMethodsV2(app),
  ],
  jobs: (app) => [projectJobs(app)],
  beforeOrganizationClosed: keepApiProject,
  whenOrganizationRemoved: removeProjectsOf,
  refusals: { ...projectRefusals, ...projectRoleRefusals, ...projectGrantRefusals } satisfies Catalogue,
})

export type { ProjectDraft, ProjectGrantDraft } from './carried.ts'
export type { LivingProject } from './decisions/project.ts'
export type { ExistingRole } from './decisions/project-role.ts'
export {
  activeProject,
  findProject,
  findProjectGrant,
  findProjectRole,
  placeOf,
  placeOfGrant,
  placeOfProject,
  projectGrants,
  projectRoleId,
  projectRoles,
  projects,
  readProjectGrant,
  roleKeysOfProject,
} from './documents.ts'
export { grantForCaller, projectForCaller, projectToAddTo } from './find-project.ts'
export { projectsById } from './names.ts'
export { projectNameFilter } from './queries.ts'
export { projectGrantRefusals, projectRefusals } from './refusals.ts'
export { holdsRoleKey, ROLE_LIST_FIELDS, roleListFilter } from './role-list.ts'
