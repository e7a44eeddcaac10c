/** The sentence of an event in the language of the user. */
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import { useLanguage } from '../../texts/index.tsx'
import { eventSentences, sentenceName } from './all.ts'

/** Says what an event is. While a newer server is rolled out, its types may have no sentence here: they keep their names. */
export function useEventSentence(): (event: Event) => string {
  const { language } = useLanguage()
  return ({ type }) => {
    const name = sentenceName(type?.type ?? '')
    return eventSentences[name]?.[language] ?? name
  }
}
