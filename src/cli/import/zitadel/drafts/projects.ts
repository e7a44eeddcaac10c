/** Projects, grants and authorizations as drafts. */
import { authorizations, type ProjectState, projectGrants, projects } from '../folds/projects.ts'
import { folded, type Item, type Reading, remark, removed } from '../reading.ts'

const LABELING = ['unspecified', 'project-owner', 'user-owner'] as const

function rolesOf({ roles }: ProjectState) {
  return [...roles.living].map(([key, { value }]) => ({
    key,
    displayName: value.displayName || key,
    group: value.group,
  }))
}

export async function* projectDrafts(reading: Reading): AsyncGenerator<Item> {
  const { world } = reading
  for await (const { id, owner, state, createdAt, changedAt } of folded(reading, projects)) {
    if (id === world.instance.state.apiProjectId) {
      yield remark('project', id, 'It stands for the API of ZITADEL: the project of our own API takes its place.')
      continue
    }
    if (!(await world.project(id))) {
      yield removed({ kind: 'project', id })
      continue
    }
    const { values } = state
    yield {
      kind: 'project',
      id,
      organizationId: owner,
      createdAt,
      changedAt,
      name: values.name ?? '',
      isActive: state.isActive,
      checksRoles: values.projectRoleCheck ?? false,
      checksGrants: values.hasProjectCheck ?? false,
      assertsRoles: values.projectRoleAssertion ?? false,
      privateLabeling: LABELING[values.privateLabelingSetting ?? 0] ?? 'unspecified',
      roles: rolesOf(state),
    }
  }
}

export async function* grantDrafts(reading: Reading): AsyncGenerator<Item> {
  const { world } = reading
  for await (const { id: projectId, owner, state } of folded(reading, projectGrants)) {
    for (const id of state.gone) yield removed({ kind: 'project-grant', id })
    for (const [id, { value, createdAt, changedAt }] of state.living) {
      const known = await world.grant(projectId, id)
      if (known === undefined) continue
      const { grantedOrganizationId, isActive } = value
      const roleKeys = value.roleKeys.filter((key) => known.has(key))
      const dates = { createdAt, changedAt }
      const kind = 'project-grant'
      yield { kind, id, organizationId: owner, ...dates, projectId, grantedOrganizationId, roleKeys, isActive }
    }
  }
}

export async function* authorizationDrafts(reading: Reading): AsyncGenerator<Item> {
  const { world } = reading
  for await (const { id, owner, isAlive, state, createdAt, changedAt } of folded(reading, authorizations)) {
    const { userId, projectId, grantId, isActive } = state
    const given = grantId === '' ? (await world.project(projectId))?.roleKeys : await world.grant(projectId, grantId)
    if (isAlive && projectId === world.instance.state.apiProjectId) {
      yield remark('authorization', id, 'It stays behind: it is for the API of ZITADEL.')
    } else if (!isAlive || !given || !(await world.hasUser(userId)) || !(await world.organization(owner))) {
      yield removed({ kind: 'authorization', id })
    } else {
      yield {
        kind: 'authorization',
        id,
        organizationId: owner,
        createdAt,
        changedAt,
        userId,
        projectId,
        ...(grantId && { projectGrantId: grantId }),
        roleKeys: state.roleKeys.filter((key) => given.has(key)),
        isActive,
      }
    }
  }
}
