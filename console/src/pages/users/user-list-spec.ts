/** What the list of users can be filtered and sorted by; in the first load, hence without any imports. */

export const USER_LIST = {
  sorts: ['name', 'userName', 'email', 'created'],
  filters: { state: ['active', 'inactive', 'locked', 'initial'], type: ['human', 'machine'] },
} as const
