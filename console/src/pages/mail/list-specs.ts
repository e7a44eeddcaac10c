/** What the lists of this area can be filtered and sorted by; in the first load, hence imports nothing but a list. */
import { LANGUAGE_TAGS } from '../../../../src/kernel/languages.ts'

export const TEXT_LIST = {
  sorts: ['message', 'language'],
  filters: { language: LANGUAGE_TAGS, origin: ['custom', 'builtIn'] },
} as const

export const QUEUE_LIST = { sorts: ['parked'], order: 'desc', filters: {} } as const

export const INBOX_LIST = {
  sorts: ['created'],
  order: 'desc',
  filters: {
    type: ['verify_email', 'password_reset', 'invitation', 'passkey_link', 'one_time_code', 'verify_phone'],
  },
} as const
