/** Projects, their roles, grants and members. */
import { type Api, aProject, memberResource, type Names, newName, oneOf, type Resources } from './resource.ts'

const OWNER = 'PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY'
const USER = 'PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY'

/** A project that another organization may use. */
async function aGrant(api: Api): Promise<Names> {
  const { id: grantedOrgId } = await api.management('AddOrg', { name: newName('Partner') })
  const names = await aProject(api)
  const { grantId } = await api.management('AddProjectGrant', { ...names, grantedOrgId, roleKeys: ['reader'] })
  return { ...names, grantId }
}

export const PROJECTS: Resources = {
  project: {
    first: {
      name: 'Shop',
      projectRoleAssertion: true,
      projectRoleCheck: true,
      hasProjectCheck: false,
      privateLabelingSetting: OWNER,
    },
    second: { name: 'Web shop', projectRoleAssertion: false, hasProjectCheck: true, privateLabelingSetting: USER },
    create: async ({ management }, attributes) => ({ id: (await management('AddProject', attributes)).id }),
    read: async ({ management }, names) => (await management('GetProjectByID', names)).project,
    update: ({ management }, names, attributes) => management('UpdateProject', { ...names, ...attributes }),
    delete: ({ management }, names) => management('RemoveProject', names),
  },
  project_v2: {
    first: {
      name: 'Store',
      projectRoleAssertion: true,
      authorizationRequired: true,
      projectAccessRequired: false,
      privateLabelingSetting: OWNER,
    },
    second: { name: 'Web store', authorizationRequired: false, projectAccessRequired: true },
    async create(api, attributes) {
      const organizationId = (await api.management('GetMyOrg')).org?.id
      return { projectId: (await api.project('CreateProject', { organizationId, ...attributes })).projectId }
    },
    read: async (api, names) => (await api.project('GetProject', names)).project,
    update: (api, names, attributes) => api.project('UpdateProject', { ...names, ...attributes }),
    delete: (api, names) => api.project('DeleteProject', names),
  },
  project_role: {
    first: { displayName: 'Buyer', group: 'Customers' },
    second: { displayName: 'Regular', group: '' },
    async create(api, attributes) {
      const names = { ...(await aProject(api)), roleKey: 'buyer' }
      await api.management('AddProjectRole', { ...names, ...attributes })
      return names
    },
    async read({ management }, { projectId, roleKey }) {
      const queries = [{ keyQuery: { key: roleKey, method: 'TEXT_QUERY_METHOD_EQUALS' } }]
      return oneOf((await management('ListProjectRoles', { projectId, queries })).result, { key: roleKey })
    },
    update: ({ management }, names, attributes) => management('UpdateProjectRole', { ...names, ...attributes }),
    delete: ({ management }, names) => management('RemoveProjectRole', names),
  },
  project_grant: {
    first: { grantedRoleKeys: ['reader'] },
    second: { grantedRoleKeys: ['reader', 'writer'] },
    create: (api) => aGrant(api),
    read: async ({ management }, names) => (await management('GetProjectGrantByID', names)).projectGrant,
    update: ({ management }, names, { grantedRoleKeys }) =>
      management('UpdateProjectGrant', { ...names, roleKeys: grantedRoleKeys }),
    delete: ({ management }, names) => management('RemoveProjectGrant', names),
  },
  project_member: memberResource('management', 'Project', ['PROJECT_OWNER', 'PROJECT_OWNER_VIEWER'], aProject),
  project_grant_member: memberResource(
    'management',
    'ProjectGrant',
    ['PROJECT_GRANT_OWNER', 'PROJECT_GRANT_OWNER_VIEWER'],
    aGrant,
  ),
}
