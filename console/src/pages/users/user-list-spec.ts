/** What the list of users can be filtered and sorted by; in the first load, hence without any imports. */

export const USER_LIST = {
  // The first one is the default: by creation, the first page is fast however many users there are.
  sorts: ['created', 'name', 'userName', 'email'],
  filters: { state: ['active', 'inactive', 'locked', 'initial'], type: ['human', 'machine'] },
} as const
