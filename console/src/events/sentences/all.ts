/** What happened, in a sentence for each type of event, without its version. `npm run check` says which are missing. */
import type { Texts } from '../../texts/languages.ts'
import { actionSentences } from './actions.ts'
import { applicationsSentences } from './applications.ts'
import de from './de.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import { organizationsSentences } from './organizations.ts'
import { serverSentences } from './server.ts'
import { settingsSentences } from './settings.ts'
import { signInSentences } from './sign-in.ts'
import { signalSentences } from './signals.ts'
import { usersSentences } from './users.ts'

type Sentences = Readonly<Record<string, string>>

/** The English sentences by what they are about. */
export const sentenceGroups = {
  signIn: signInSentences,
  users: usersSentences,
  applications: applicationsSentences,
  organizations: organizationsSentences,
  settings: { ...settingsSentences, ...actionSentences, ...signalSentences },
  server: serverSentences,
} as const satisfies Readonly<Record<string, Sentences>>

const en: Sentences = Object.assign({}, ...Object.values(sentenceGroups))

/** The sentences of each language. */
export const eventSentences: Texts<Sentences> = { en, de, fr }

/** The name under which the sentence of an event is found: `user.locked.v1` and later versions share one. */
export function sentenceName(type: string): string {
  return type.replace(/\.v\d+$/, '')
}
