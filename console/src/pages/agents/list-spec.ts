/** What the lists of this area can be filtered and sorted by; in the first load, hence without any imports. */

export const AGENT_LIST = { sorts: ['listed'], filters: {} } as const
