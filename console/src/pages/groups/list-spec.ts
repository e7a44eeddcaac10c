/** What the lists of this area can be sorted by; in the first load, hence without any imports. */

export const GROUP_LIST = { sorts: ['name', 'created', 'changed'], filters: {} } as const

export const GROUP_USER_LIST = { sorts: ['joined'], order: 'desc', filters: {} } as const
