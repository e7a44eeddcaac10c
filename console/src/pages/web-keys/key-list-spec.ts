/** What the list of web keys can be filtered and sorted by; in the first load, hence without any imports. */

export const KEY_LIST = {
  sorts: ['created', 'algorithm'],
  order: 'desc',
  filters: { state: ['initial', 'active', 'inactive'] },
} as const
