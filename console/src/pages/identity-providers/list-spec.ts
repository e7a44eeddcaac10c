/** What the list of identity providers can be filtered and sorted by; in the first load, hence without any imports. */

export const PROVIDER_LIST = {
  sorts: ['created'],
  order: 'desc',
  filters: { owner: ['instance', 'organization'] },
} as const
