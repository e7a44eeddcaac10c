/** What happened, in a sentence for each type of event, without its version. `npm run check` says which are missing. */
import type { Texts } from '../../texts/languages.ts'
import { applicationsSentences } from './applications.ts'
import { organizationsSentences } from './organizations.ts'
import { serverSentences } from './server.ts'
import { settingsSentences } from './settings.ts'
import { signInSentences } from './sign-in.ts'
import { usersSentences } from './users.ts'

export const eventSentences: Readonly<Record<string, Texts<string>>> = {
  ...usersSentences,
  ...signInSentences,
  ...applicationsSentences,
  ...organizationsSentences,
  ...settingsSentences,
  ...serverSentences,
}

/** The name under which the sentence of an event is found: `user.locked.v1` and later versions share one. */
export function sentenceName(type: string): string {
  return type.replace(/\.v\d+$/, '')
}
