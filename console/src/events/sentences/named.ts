/** Sentences that name those whom an event is about, where the event has their names. */
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import type { Language, Texts } from '../../texts/languages.ts'
import { sentenceName } from './all.ts'

const ACTING: Texts<(agent: string, user: string) => string> = {
  en: (agent, user) => `Agent ${agent} acts for ${user}.`,
  de: (agent, user) => `Agent ${agent} handelt für ${user}.`,
  fr: (agent, user) => `L’agent ${agent} agit pour ${user}.`,
}

/** The sentence of an event with names in it; undefined: the one of its type says enough. */
export function namedSentence({ type, payload }: Pick<Event, 'type' | 'payload'>, language: Language) {
  const given = sentenceName(type?.type ?? '') === 'grant.opened' ? payload?.delegation : undefined
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const { agent, user } = given
  return typeof agent === 'string' && typeof user === 'string' ? ACTING[language](agent, user) : undefined
}
