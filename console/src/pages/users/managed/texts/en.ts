/** The texts about what a directory manages, in English. */
import type { Sentences } from '../../../../texts/languages.ts'

export const en = {
  user: 'A directory manages this user. Change names, email address, phone number, username and state in the directory.',
  group: 'A directory manages this group. Change its name and users in the directory.',
  since: 'Since',
  directory: 'Directory',
  detach: 'Detach',
  detachHint: 'Everything stays as it is. The next change by the directory attaches it again.',
  detachDone: 'Detached from the directory.',
} as const

export type ManagedTexts = Sentences<typeof en>
