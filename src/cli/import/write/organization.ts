/** Writes organizations, their domains, projects and grants of projects. */
import { importDefaultOrganization } from '../../../features/instances/index.ts'
import {
  closeImported,
  importDomain,
  importOrganization,
  organizations,
} from '../../../features/organizations/index.ts'
import {
  importGrant,
  importProject,
  importRole,
  projectGrants,
  projectRoleId,
  projectRoles,
  projects,
} from '../../../features/projects/index.ts'
import { importNameScope, settings } from '../../../features/settings/index.ts'
import type { OrganizationDraft, ProjectDraft, ProjectGrantDraft } from '../draft.ts'
import { isThere, tryPart, type WriteDraft, type WriteEnd } from './writing.ts'

const THERE: WriteEnd = { end: 'there' }

/** Deactivated only when everything in it is there: nothing can be added to one that is not active. */
function closingLater({ id, isActive }: OrganizationDraft): Pick<WriteEnd, 'later'> {
  return isActive ? {} : { later: (app, work) => closeImported(app, work, id) }
}

export const writeOrganization: WriteDraft<OrganizationDraft> = async ({ app, work, draft, left, dates }) => {
  const { id, name, domains, isDefault, hasScopedUserNames } = draft
  if (await isThere(work, organizations, id, id)) return { ...THERE, ...closingLater(draft) }
  await importOrganization(app, work, { id, name })
  // The first verified one is the primary one here.
  for (const domain of domains.toSorted((one, other) => Number(other.isPrimary) - Number(one.isPrimary))) {
    await tryPart(left, `The domain ${domain.name}`, () => importDomain(work, id, domain))
  }
  if (draft.nameScope !== undefined) dates(settings, id, draft.nameScope.settingsDates)
  const scope = draft.nameScope ?? (hasScopedUserNames ? { isScoped: true } : undefined)
  if (scope !== undefined) await importNameScope(work, id, scope)
  if (isDefault) await importDefaultOrganization(app, work, id)
  return { end: 'carried', ...closingLater(draft) }
}

const LABELING = {
  unspecified: 'unspecified',
  'project-owner': 'project_organization',
  'user-owner': 'user_organization',
} as const

export function projectSettings(draft: ProjectDraft) {
  const { allowsDocumentClients, allowsRegisteredClients, allowsDelegation } = draft
  return {
    name: draft.name,
    projectRoleAssertion: draft.assertsRoles,
    authorizationRequired: draft.checksRoles,
    projectAccessRequired: draft.checksGrants,
    privateLabeling: LABELING[draft.privateLabeling],
    ...(allowsDocumentClients !== undefined && { allowsDocumentClients }),
    ...(allowsRegisteredClients !== undefined && { allowsRegisteredClients }),
    ...(allowsDelegation !== undefined && { allowsDelegation }),
  }
}

export const writeProject: WriteDraft<ProjectDraft> = async ({ app, work, draft, left, dates }) => {
  const { id, organizationId, isActive, roles } = draft
  if (await isThere(work, projects, id, organizationId)) return THERE
  await importProject(app, work, { id, organizationId, settings: projectSettings(draft), isActive })
  for (const { createdAt, changedAt = createdAt, ...role } of roles) {
    if (createdAt !== undefined && changedAt !== undefined)
      dates(projectRoles, projectRoleId(id, role.key), { createdAt, changedAt })
    await tryPart(left, `The role ${role.key}`, () => importRole(work, { id, organizationId }, role))
  }
  return { end: 'carried' }
}

export const writeProjectGrant: WriteDraft<ProjectGrantDraft> = async ({ app, work, draft }) => {
  const { id, organizationId, projectId, grantedOrganizationId, roleKeys, isActive } = draft
  if (await isThere(work, projectGrants, id, organizationId)) return THERE
  await importGrant(app, work, { id, projectId, grantedOrganizationId, roleKeys, isActive })
  return { end: 'carried' }
}
