/** What the list of webhooks can be filtered and sorted by; in the first load, hence without any imports. */

export const WEBHOOK_LIST = { sorts: ['name', 'endpoint'], filters: {} } as const
