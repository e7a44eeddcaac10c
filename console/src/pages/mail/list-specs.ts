/** What the lists of this area can be filtered and sorted by; in the first load, hence without any imports. */

export const TEXT_LIST = {
  sorts: ['message', 'language'],
  filters: { language: ['en', 'de', 'fr'], origin: ['custom', 'builtIn'] },
} as const

export const QUEUE_LIST = { sorts: ['parked'], order: 'desc', filters: {} } as const

export const INBOX_LIST = {
  sorts: ['created'],
  order: 'desc',
  filters: {
    type: ['verify_email', 'password_reset', 'invitation', 'passkey_link', 'one_time_code', 'verify_phone'],
  },
} as const
