/** The filters of the audit. */
import { useQuery } from '@connectrpc/connect-query'
import { Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { partsTexts } from '../../parts/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'
import type { AuditSearch } from './audit-search.ts'
import { auditTexts } from './texts/index.ts'

interface AuditFiltersProps {
  readonly search: AuditSearch
  onChange(change: AuditSearch): void
}

/** The row of filters. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const t = useTexts(auditTexts)
  const { list } = useTexts(partsTexts)
  const lasting = { staleTime: Number.POSITIVE_INFINITY }
  const types = useQuery(AdminService.method.listEventTypes, {}, lasting)
  const kinds = useQuery(AdminService.method.listAggregateTypes, {}, lasting)
  const time = (name: 'since' | 'until', label: string) => (
    <TextInput
      type="datetime-local"
      label={label}
      value={search[name] ?? ''}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      flex="0 1 13rem"
    />
  )
  const select = (name: 'type' | 'kind', label: string, data: readonly string[]) => (
    <Select
      label={label}
      placeholder={list.all}
      data={[...data]}
      value={search[name] ?? null}
      onChange={(value) => onChange({ [name]: value ?? '' })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `${label}: ${list.all}` }}
      nothingFoundMessage={list.nothingFound}
      flex="1 1 13rem"
      maw={320}
    />
  )
  return (
    <Group align="flex-end" gap="sm">
      <TypedFilter label={t.editor} value={search.editor ?? ''} onChange={(editor) => onChange({ editor })} />
      <TypedFilter
        label={t.aggregate}
        value={search.aggregate ?? ''}
        onChange={(aggregate) => onChange({ aggregate })}
      />
      {select('type', t.type, types.data?.eventTypes.map(({ type }) => type) ?? [])}
      {select('kind', t.kind, kinds.data?.aggregateTypes.map(({ type }) => type) ?? [])}
      {time('since', t.since)}
      {time('until', t.until)}
    </Group>
  )
}

interface TypedFilterProps {
  readonly label: string
  readonly value: string
  onChange(value: string): void
}

function TypedFilter({ label, value, onChange }: TypedFilterProps) {
  const [text, setText] = useState(value)
  const change = useDebouncedCallback(onChange, 300)
  // The address changed by other means: back, a link, or "clear".
  useEffect(() => setText(value), [value])
  return (
    <TextInput
      type="search"
      label={label}
      value={text}
      maxLength={200}
      flex="1 1 11rem"
      maw={280}
      onChange={(event) => {
        setText(event.currentTarget.value)
        change(event.currentTarget.value.trim())
      }}
    />
  )
}
