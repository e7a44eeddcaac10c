/** Sentences that name those whom an event is about, where the event has their names. */
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import type { Language } from '../../texts/languages.ts'
import { namedTexts } from '../texts/index.ts'
import { sentenceName } from './all.ts'

/** The sentence of an event with names in it; undefined: the one of its type says enough. */
export function namedSentence({ type, payload }: Pick<Event, 'type' | 'payload'>, language: Language) {
  const given = sentenceName(type?.type ?? '') === 'grant.opened' ? payload?.delegation : undefined
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const { agent, user } = given
  return typeof agent === 'string' && typeof user === 'string'
    ? namedTexts[language].acting({ agent, user })
    : undefined
}
