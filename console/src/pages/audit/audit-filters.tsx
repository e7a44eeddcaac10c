/** The filters of events, by name. */
import { useQuery } from '@connectrpc/connect-query'
import { Group } from '@mantine/core'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { eventSentences, sentenceGroups, sentenceName } from '../../events/sentences/all.ts'
import { PickField } from '../../parts/pick-field.tsx'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import type { AuditSearch } from './audit-search.ts'
import { ChoiceField, TimeField } from './filter-fields.tsx'
import { auditTexts } from './texts/index.ts'

const THINGS = ['users', 'organizations', 'projects', 'applications', 'providers'] as const
const GROUPS = Object.keys(sentenceGroups) as (keyof typeof sentenceGroups)[]

interface AuditFiltersProps {
  readonly search: AuditSearch
  onChange(change: AuditSearch): void
}

/** The types of events as sentences, in groups. A version is named where there are several. */
function useTypeChoices(types: readonly string[]) {
  const { groups } = useTexts(auditTexts)
  const { language } = useLanguage()
  const choice = (value: string) => {
    const name = sentenceName(value)
    const isOnly = types.filter((other) => sentenceName(other) === name).length === 1
    const sentence = (eventSentences[language][name] ?? name).replace(/\.$/, '')
    return { value, label: isOnly ? sentence : `${sentence} (${value.slice(name.length + 1)})` }
  }
  const groupOf = (type: string) => GROUPS.find((group) => Object.hasOwn(sentenceGroups[group], sentenceName(type)))
  return ([...GROUPS, undefined] as const)
    .map((group) => ({
      group: groups[group ?? 'other'],
      items: types.filter((type) => groupOf(type) === group).map(choice),
    }))
    .filter(({ items }) => items.length > 0)
}

/** The row of filters. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const t = useTexts(auditTexts)
  const lasting = { staleTime: Number.POSITIVE_INFINITY }
  const types = useQuery(AdminService.method.listEventTypes, {}, lasting)
  const kinds = useQuery(AdminService.method.listAggregateTypes, {}, lasting)
  const typeChoices = useTypeChoices(types.data?.eventTypes.map(({ type }) => type) ?? [])
  const kindChoices = kinds.data?.aggregateTypes.map(({ type, localized }) => ({
    value: type,
    label: localized?.localizedMessage || type,
  }))
  return (
    <Group align="flex-end" gap="sm">
      <PickField
        label={t.editor}
        groups={['users']}
        value={search.editor ?? ''}
        onChange={(editor) => onChange({ editor })}
      />
      <PickField
        label={t.aggregate}
        groups={THINGS}
        value={search.aggregate ?? ''}
        onChange={(aggregate) => onChange({ aggregate })}
      />
      <ChoiceField label={t.type} data={typeChoices} value={search.type} onChange={(type) => onChange({ type })} />
      <ChoiceField
        label={t.kind}
        data={kindChoices ?? []}
        value={search.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <ChoiceField
        label={t.range}
        data={Object.entries(t.ranges).map(([value, label]) => ({ value, label }))}
        value={search.range}
        onChange={(range) => onChange({ range })}
      />
      {search.range === undefined && (
        <TimeField label={t.since} value={search.since} onChange={(since) => onChange({ since })} />
      )}
      <TimeField label={t.until} value={search.until} onChange={(until) => onChange({ until })} />
    </Group>
  )
}
