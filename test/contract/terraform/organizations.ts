/** Organizations, and what belongs to them. */
import { base64, memberResource, newName, oneOf, type Resource, type Resources } from './resource.ts'

const KEY = 'color'
const VALUES = { first: { value: base64('green') }, second: { value: base64('blue') } }

const organization: Resource = {
  first: { name: 'Alpha' },
  second: { name: 'Beta' },
  create: async (api, attributes) => ({ id: (await api.organization('AddOrganization', attributes)).organizationId }),
  async read(api, { id }) {
    return oneOf((await api.organization('ListOrganizations', { queries: [{ idQuery: { id } }] })).result, { id })
  },
  update: (api, { id }, attributes) => api.organization('UpdateOrganization', { organizationId: id, ...attributes }),
  delete: (api, { id }) => api.organization('DeleteOrganization', { organizationId: id }),
}

/** The domain of an organization: every change replaces it. */
const domain: Resource = {
  first: { domainName: 'wine.example.com', isVerified: false, isPrimary: false },
  async create({ management }, { domainName }) {
    await management('AddOrgDomain', { domain: domainName })
    return { domain: domainName }
  },
  async read({ management }, names) {
    const method = 'TEXT_QUERY_METHOD_EQUALS'
    const queries = [{ domainNameQuery: { name: names.domain, method } }]
    return oneOf((await management('ListOrgDomains', { queries })).result, { domainName: names.domain })
  },
  delete: ({ management }, names) => management('RemoveOrgDomain', names),
}

const organizationDomain: Resource = {
  first: { domain: 'tea.example.com', isVerified: false },
  async create(api, attributes) {
    const { organizationId } = await api.organization('AddOrganization', { name: newName('Tea') })
    const names = { organizationId, domain: attributes.domain }
    await api.organization('AddOrganizationDomain', names)
    return names
  },
  async read(api, names) {
    const { organizationId } = names
    return oneOf((await api.organization('ListOrganizationDomains', { organizationId })).domains, {
      domain: names.domain,
    })
  },
  delete: (api, names) => api.organization('DeleteOrganizationDomain', names),
}

const organizationMetadata: Resource = {
  ...VALUES,
  async create(api, attributes) {
    const { organizationId } = await api.organization('AddOrganization', { name: newName('Marked') })
    await api.organization('SetOrganizationMetadata', { organizationId, metadata: [{ key: KEY, ...attributes }] })
    return { organizationId }
  },
  read: async (api, names) => oneOf((await api.organization('ListOrganizationMetadata', names)).metadata, { key: KEY }),
  update: (api, names, attributes) =>
    api.organization('SetOrganizationMetadata', { ...names, metadata: [{ key: KEY, ...attributes }] }),
  delete: (api, names) => api.organization('DeleteOrganizationMetadata', { ...names, keys: [KEY] }),
}

export const ORGANIZATIONS: Resources = {
  org: {
    ...organization,
    first: { name: 'First' },
    second: { name: 'Second' },
    create: async ({ management }, attributes) => ({ id: (await management('AddOrg', attributes)).id }),
    read: async ({ admin }, names) => (await admin('GetOrgByID', { orgId: names.id })).org,
    delete: ({ admin }, { id }) => admin('RemoveOrg', { orgId: id }),
  },
  organization,
  domain,
  organization_domain: organizationDomain,
  org_metadata: {
    ...VALUES,
    async create({ management }, attributes) {
      await management('SetOrgMetadata', { key: KEY, ...attributes })
      return { key: KEY }
    },
    read: async ({ management }, names) => (await management('GetOrgMetadata', names)).metadata,
    update: ({ management }, names, attributes) => management('SetOrgMetadata', { ...names, ...attributes }),
    delete: ({ management }, names) => management('RemoveOrgMetadata', names),
  },
  organization_metadata: organizationMetadata,
  org_member: memberResource('management', 'Org', ['ORG_OWNER', 'ORG_USER_MANAGER']),
}
