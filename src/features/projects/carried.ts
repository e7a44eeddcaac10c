/** How projects are carried, with their roles, and their grants to other organizations. */
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import { type Arriving, type DraftOf, declare, nothingElse, type OpenedDocument } from '../../module/carried.ts'
import type { Dates } from '../../store/index.ts'
import { findOrganization } from '../organizations/index.ts'
import { isLivingProject } from './decisions/project.ts'
import { isLivingProjectGrant } from './decisions/project-grant.ts'
import type { ProjectRole } from './decisions/project-role.ts'
import { projectGrants, projectRoleId, projectRoles, projects } from './documents.ts'
import type { PrivateLabeling } from './events.ts'
import { checkId, checkProjectName } from './handlers/add-project.ts'
import { addGrantIn, changeGrantIn, removeGrantIn, setGrantStateIn } from './handlers/change-grant.ts'
import { removeProjectIn } from './handlers/change-project.ts'
import { checkKeys, removeRoleIn } from './handlers/change-role.ts'
import { projectRefusals } from './refusals.ts'

export interface CarriedRole extends Partial<Dates> {
  readonly key: string
  readonly displayName: string
  readonly group: string
  readonly addedAt?: Instant
}

const LABELING = {
  unspecified: 'unspecified',
  project_organization: 'project-owner',
  user_organization: 'user-owner',
} as const satisfies Record<PrivateLabeling, string>

const LABELING_BACK = {
  unspecified: 'unspecified',
  'project-owner': 'project_organization',
  'user-owner': 'user_organization',
} as const satisfies Record<(typeof LABELING)[PrivateLabeling], PrivateLabeling>

function rolesOf(roles: readonly OpenedDocument<ProjectRole>[]): readonly CarriedRole[] {
  return roles.flatMap(({ state, createdAt, changedAt }) => {
    if (state.status !== 'existing') return []
    const { status: _, projectId: __, search: ___, key, displayName, group, addedAt, ...rest } = state
    nothingElse(rest)
    return [{ key, displayName, group, addedAt, createdAt, changedAt }]
  })
}

/** Adds a role, or gives it its texts. */
async function putRole(arriving: Pick<Arriving<unknown>, 'work' | 'id' | 'owner' | 'dates'>, given: CarriedRole) {
  const { work, id: projectId, owner, dates } = arriving
  const { key, displayName, group, addedAt = work.origin.at, createdAt, changedAt = createdAt } = given
  const id = projectRoleId(projectId, key)
  if ((await work.get(projectRoles, id))?.state.status === 'existing') {
    await work.decide(projectRoles, id, { type: 'change', texts: { displayName, group } })
    return
  }
  if (createdAt !== undefined && changedAt !== undefined) dates(projectRoles, id, { createdAt, changedAt })
  checkKeys([{ key, displayName, group }], () => 'roleKey')
  await work.decide(projectRoles, id, { type: 'add', projectId, key, displayName, group, addedAt }, owner)
}

export const carriedProjects = declare(projects, {
  as: 'project',
  after: ['organization', 'settings', 'provider-choices'],
  lives: isLivingProject,
  async describe({ status, organizationId: _, search: __, reopenings: ___, privateLabeling, ...settings }, { parts }) {
    const { authorizationRequired, projectAccessRequired, projectRoleAssertion, ...others } = settings
    return {
      ...others,
      isActive: status === 'active',
      checksRoles: authorizationRequired,
      checksGrants: projectAccessRequired,
      assertsRoles: projectRoleAssertion,
      privateLabeling: LABELING[privateLabeling],
      roles: rolesOf(await parts(projectRoles)),
    }
  },
  async put(arriving, before) {
    const { app, work, id, organizationId, draft, part } = arriving
    const { name, isActive, checksRoles, checksGrants, assertsRoles, privateLabeling, roles, ...others } = draft
    const { allowsDocumentClients, allowsRegisteredClients, allowsDelegation, ...rest } = others
    nothingElse(rest)
    const settings = {
      name,
      projectRoleAssertion: assertsRoles,
      authorizationRequired: checksRoles,
      projectAccessRequired: checksGrants,
      privateLabeling: LABELING_BACK[privateLabeling],
      ...(allowsDocumentClients !== undefined && { allowsDocumentClients }),
      ...(allowsRegisteredClients !== undefined && { allowsRegisteredClients }),
      ...(allowsDelegation !== undefined && { allowsDelegation }),
    }
    checkProjectName(name)
    if (before === undefined) {
      if ((await findOrganization(work, organizationId)) === undefined) {
        throw refused(projectRefusals, 'project.organization_not_found')
      }
      await checkId(app, work, id, organizationId)
      await work.decide(projects, id, { type: 'add', organizationId, ...settings }, organizationId)
    } else {
      await work.decide(projects, id, { type: 'change', settings })
      const known = await app.store.findValues(projectRoles, { field: 'projectId', equals: id }, 'typedKey')
      const gone = known.map(String).filter((key) => !roles.some((role) => role.key === key))
      for (const key of gone) await removeRoleIn(app, work, id, key)
    }
    if (isActive !== (before === undefined || before.status === 'active')) {
      await work.decide(projects, id, { type: isActive ? 'reactivate' : 'deactivate' })
    }
    for (const role of roles) await part(`The role ${role.key}`, () => putRole(arriving, role))
  },
  remove: ({ app, work, id }) => removeProjectIn(app, work, id),
  removalContinues: true,
})

export const carriedGrants = declare(projectGrants, {
  as: 'project-grant',
  after: ['project'],
  lives: isLivingProjectGrant,
  describe: ({ status, search: _, ...grant }) => ({ ...grant, isActive: status === 'active' }),
  async put({ app, work, id, draft }, before) {
    const { projectId, grantedOrganizationId, roleKeys, isActive, ...rest } = draft
    nothingElse(rest)
    if (before === undefined) await addGrantIn(app, work, { id, projectId, grantedOrganizationId, roleKeys })
    else await changeGrantIn(app, work, id, roleKeys)
    if (isActive !== (before === undefined || before.status === 'active')) {
      await setGrantStateIn(app, work, id, isActive ? 'reactivate' : 'deactivate')
    }
  },
  remove: ({ app, work, id }) => removeGrantIn(app, work, id),
  removalContinues: true,
})

export type ProjectDraft = DraftOf<typeof carriedProjects>
export type ProjectGrantDraft = DraftOf<typeof carriedGrants>
