/** The sentence of an event in the language of the user. */
import type { Event } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import { type Texts, useLanguage, useTexts } from '../../texts/index.tsx'
import { de } from './de.ts'
import { type EventSentences, en } from './en.ts'
import { fr } from './fr.ts'

const sentences: Texts<EventSentences> = { en, de, fr }

/** Types without a sentence keep their name: the server knows more types than people ask about. */
function nameOf(type: string, localized: string, language: string): string {
  return language === 'en' && localized !== '' ? `${localized}.` : type.replace(/\.v\d+$/, '')
}

/** Says what an event is. */
export function useEventSentence(): (event: Event) => string {
  const known: Readonly<Record<string, string | undefined>> = useTexts(sentences)
  const { language } = useLanguage()
  return ({ type }) => {
    const name = type?.type ?? ''
    return known[name.replace(/\.v\d+$/, '')] ?? nameOf(name, type?.localized?.localizedMessage ?? '', language)
  }
}
