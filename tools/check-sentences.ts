/** Says which events have no sentence in one of the languages of the console, and which sentences belong to no event. */
import { eventSentences, sentenceName } from '../console/src/events/sentences/all.ts'
import { namedTexts } from '../console/src/events/texts/index.ts'
import { LANGUAGES, type Language } from '../console/src/texts/languages.ts'
import { kinds } from '../src/modules.ts'
import { OBJECT_IMPORTED } from '../src/store/index.ts'
import { reportProblems } from './problems.ts'

const languages = Object.keys(LANGUAGES) as Language[]
const names = new Set([OBJECT_IMPORTED, ...kinds.flatMap(({ events }) => Object.keys(events))].map(sentenceName))

const missing = [...names].flatMap((name) => {
  const without = languages.filter((language) => !eventSentences[language][name])
  return without.length === 0 ? [] : [`${name} has no sentence in ${without.join(', ')}: console/src/events/sentences`]
})
const unused = [...new Set(languages.flatMap((language) => Object.keys(eventSentences[language])))]
  .filter((name) => !names.has(name))
  .map((name) => `${name} has a sentence in console/src/events/sentences, but no module writes such events`)

const unsaid = Object.keys(namedTexts.en.named)
  .filter((name) => !names.has(name))
  .map((name) => `${name} has a sentence in console/src/events/texts, but no module writes such events`)

export const problems = [...missing, ...unused, ...unsaid]

if (import.meta.main) reportProblems(problems)
