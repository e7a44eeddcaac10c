/** Who asks for access, where users are sent, for which API, and for how long: what people need to decide. */
import { html } from 'htm/preact'
import type { DescribedRequest } from '../../../features/authorization-requests/index.ts'
import type { Language } from '../../../kernel/languages.ts'
import type { Content } from '../../parts.ts'
import type { Visit } from '../../site.ts'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** A length of time in the largest unit that it is a whole number of. */
function lengthOfTime(milliseconds: number, language: Language): string {
  const [unit, length] = UNITS.find(([, one]) => milliseconds >= one && milliseconds % one === 0) ?? ['second', 1000]
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 })
  return format.format(milliseconds / length)
}

function lastsFor({ texts, language }: Visit, { longestMs, unusedMs }: DescribedRequest['lasts']): string {
  const longest = lengthOfTime(longestMs, language)
  if (unusedMs === undefined) return texts.asking.untilSignOut({ time: longest })
  return texts.asking.untilUnused({ time: longest, idle: lengthOfTime(unusedMs, language) })
}

/** The facts, each with its label. */
export function askingFacts(visit: Visit, { unverified, redirectHost, resource, lasts }: DescribedRequest): Content {
  const words = visit.texts.asking
  const facts = [
    [words.app, unverified && words.unverified],
    [words.goesTo, redirectHost ?? words.onDevice],
    [words.resource, resource?.uri],
    [words.lasts, lastsFor(visit, lasts)],
  ] as const
  const known = facts.filter(([, fact]) => fact !== undefined)
  return html`<dl>${known.map(([label, fact]) => html`<dt>${label}</dt><dd>${fact}</dd>`)}</dl>`
}

/** What exactly is asked for: the sentence of the API, and what the application wrote. */
export function detailList({ details }: DescribedRequest): Content {
  return details.map(
    ({ description, facts }) => html`
      <p>${description}</p>
      <dl>${facts.map(([name, value]) => html`<dt><bdi>${name}</bdi></dt><dd><bdi>${value}</bdi></dd>`)}</dl>
    `,
  )
}

/** What people should think of before they allow it. */
export function askingNotes({ texts }: Visit, { unverified, redirectHost }: DescribedRequest): Content {
  const { unverifiedNote, onDeviceNote } = texts.asking
  return html`
    ${unverified && html`<p class="note">${unverifiedNote}</p>`}
    ${redirectHost === undefined && html`<p class="note">${onDeviceNote}</p>`}
  `
}
