/** What lists of administrators can be filtered and sorted by; in the first load, hence without any imports. */

export const ADMINISTRATOR_LIST = {
  sorts: ['created', 'changed'],
  order: 'desc',
  filters: {
    where: ['instance', 'other'],
    role: ['IAM_OWNER', 'IAM_OWNER_VIEWER', 'IAM_USER_MANAGER', 'IAM_LOGIN_CLIENT', 'ORG_OWNER', 'PROJECT_OWNER'],
  },
} as const

/** The members of one organization or project. */
export const MEMBER_LIST = { sorts: ['created', 'changed'], order: 'desc', filters: {} } as const
