/** What the list of SMS providers can be filtered and sorted by; in the first load, hence without any imports. */

export const PROVIDER_LIST = { sorts: ['description', 'endpoint'], filters: { state: ['active', 'inactive'] } } as const
