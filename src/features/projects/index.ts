/**
 * Projects: what applications and roles belong to, the roles of a project, and the grants by which other organizations
 * give those roles to their users. Who holds which role is in `authorizations`.
 */
import { module } from '../../access/module.ts'
import type { Catalogue } from '../../kernel/refusal.ts'
import { projectGrants, projectRoles, projects } from './documents.ts'
import { projectJobs } from './jobs.ts'
import { projectGrantRefusals, projectRefusals, projectRoleRefusals } from './refusals.ts'

export const projectsModule = module({
  name: 'projects',
  kinds: [projects, projectRoles, projectGrants],
  refusals: { ...projectRefusals, ...projectRoleRefusals, ...projectGrantRefusals } satisfies Catalogue,
  jobs: (app) => [projectJobs(app)],
})

export type { LivingProject, Project } from './decisions/project.ts'
export type { LivingProjectGrant, ProjectGrant } from './decisions/project-grant.ts'
export type { ExistingRole, ProjectRole } from './decisions/project-role.ts'
export {
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
  rolesOfProject,
} from './documents.ts'
export { grantForCaller, projectForCaller, projectToAddTo, projectToExtend } from './find-project.ts'
export { projectGrantRefusals, projectRefusals, projectRoleRefusals } from './refusals.ts'
