/** The sentence of an event in the language of the user. */
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import { useLanguage } from '../../texts/index.tsx'
import { eventSentences, sentenceName } from './all.ts'
import { namedSentence } from './named.ts'

/** Says what an event is. While a newer server is rolled out, its types may have no sentence here: they keep their names. */
export function useEventSentence(): (event: Event) => string {
  const { language } = useLanguage()
  return (event) => {
    const name = sentenceName(event.type?.type ?? '')
    return namedSentence(event, language) ?? eventSentences[language][name] ?? name
  }
}
