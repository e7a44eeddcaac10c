/** Chooses types of events by what they say, or everything about a kind of thing. */
import { MultiSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { eventSentences, sentenceGroups } from '../../events/sentences/all.ts'
import { partsTexts } from '../../parts/texts/index.ts'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { auditTexts } from '../audit/texts/index.ts'
import { webhookTexts } from './texts/index.ts'

interface EventTypesFieldProps {
  /** Types, or the beginnings of types with an asterisk. */
  readonly value: string[]
  readonly error?: ReactNode
  onChange(value: string[]): void
}

const GROUPS = Object.keys(sentenceGroups) as (keyof typeof sentenceGroups)[]
const FAMILIES = [...new Set(GROUPS.flatMap((group) => Object.keys(sentenceGroups[group])))]
  .map((name) => name.split('.', 1)[0] ?? '')
  .filter((family, at, all) => all.indexOf(family) === at)
  .sort()

/** The choices in groups. One of an event is good for its later versions, too. */
function useChoices(chosen: readonly string[]) {
  const t = useTexts(webhookTexts)
  const { groups } = useTexts(auditTexts)
  const { language } = useLanguage()
  const sentences = eventSentences[language]
  const sentenceOf = (name: string) => `${(sentences[name] ?? name).replace(/\.$/, '')} (${name})`
  const all = [
    { group: t.everythingAbout, items: FAMILIES.map((family) => ({ value: `${family}.*`, label: `${family}.*` })) },
    ...GROUPS.map((group) => ({
      group: groups[group],
      items: Object.keys(sentenceGroups[group]).map((name) => ({ value: `${name}.*`, label: sentenceOf(name) })),
    })),
  ]
  const known = new Set(all.flatMap(({ items }) => items.map(({ value }) => value)))
  // What was set through the API can name a version.
  const others = chosen.filter((type) => !known.has(type))
  const items = others.map((value) => ({ value, label: value }))
  return others.length === 0 ? all : [...all, { group: groups.other, items }]
}

export function EventTypesField({ value, error, onChange }: EventTypesFieldProps) {
  const t = useTexts(webhookTexts)
  const { list } = useTexts(partsTexts)
  return (
    <MultiSelect
      label={t.eventTypes}
      description={t.eventTypesHint}
      placeholder={value.length === 0 ? t.allEvents : ''}
      data={useChoices(value)}
      value={value}
      onChange={onChange}
      error={error}
      searchable
      clearable
      hidePickedOptions
      limit={200}
      maxDropdownHeight={320}
      clearButtonProps={{ 'aria-label': `${t.eventTypes}: ${t.allEvents}` }}
      nothingFoundMessage={list.nothingFound}
    />
  )
}
