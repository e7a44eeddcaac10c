/** What the lists of this area can be filtered and sorted by; in the first load, hence without any imports. */

export const PROJECT_LIST = {
  sorts: ['name', 'created', 'changed'],
  filters: { ownership: ['owned', 'granted'] },
} as const

export const APPLICATION_LIST = {
  sorts: ['name', 'created', 'changed'],
  filters: { state: ['active', 'inactive'], type: ['oidc', 'api', 'saml'], agent: ['document', 'registered'] },
} as const

export const ROLE_LIST = { sorts: ['key', 'created'], filters: {} } as const

export const GRANT_LIST = { sorts: ['created', 'changed'], order: 'desc', filters: {} } as const

export const AUTHORIZATION_LIST = {
  sorts: ['created', 'changed'],
  order: 'desc',
  filters: { state: ['active', 'inactive'] },
} as const

export const KEY_LIST = { sorts: ['created', 'expires'], order: 'desc', filters: {} } as const
