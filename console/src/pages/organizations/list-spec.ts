/** What the lists of this area can be filtered and sorted by; in the first load, hence without any imports. */

export const ORGANIZATION_LIST = {
  sorts: ['name', 'created'],
  filters: { state: ['active', 'inactive'] },
} as const

export const DOMAIN_LIST = { sorts: ['name', 'created'], filters: {} } as const

export const METADATA_LIST = { sorts: ['key'], filters: {} } as const
