/** Chooses an organization by part of its name. */
import { useQuery } from '@connectrpc/connect-query'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { TextQueryMethod } from '../../../../contract/gen/signet/object/v2/object_pb.ts'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { OrganizationFieldName } from '../../../../contract/gen/signet/org/v2/query_pb.ts'
import { useTexts } from '../../texts/index.tsx'
import { organizationTexts } from './texts/index.ts'

const SHOWN = 20

interface OrganizationSelectProps {
  readonly label: string
  readonly value: string
  onChange(organizationId: string): void
  readonly error?: ReactNode
  /** Left out, such as the owner of what is granted. */
  readonly without?: string
}

/** A field that searches while the user types. */
export function OrganizationSelect({ label, value, onChange, error, without }: OrganizationSelectProps) {
  const t = useTexts(organizationTexts)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<{ readonly value: string; readonly label: string }>()
  const [name] = useDebouncedValue(text.trim(), 200)
  const isSearch = name !== '' && name !== chosen?.label
  const method = TextQueryMethod.CONTAINS_IGNORE_CASE
  const found = useQuery(
    OrganizationService.method.listOrganizations,
    {
      query: { limit: SHOWN, asc: true },
      sortingColumn: OrganizationFieldName.NAME,
      queries: isSearch ? [{ query: { case: 'nameQuery', value: { name, method } } }] : [],
    },
    { placeholderData: keepPreviousData },
  )
  const listed = (found.data?.result ?? [])
    .filter(({ id }) => id !== without)
    .map((one) => ({ value: one.id, label: one.name }))
  const data = chosen && !listed.some((one) => one.value === chosen.value) ? [chosen, ...listed] : listed
  return (
    <Select
      label={label}
      placeholder={t.searchPlaceholder}
      required
      searchable
      data={data}
      value={value === '' ? null : value}
      onChange={(next, option) => {
        setChosen(option === null ? undefined : { value: option.value, label: option.label })
        onChange(next ?? '')
      }}
      onSearchChange={setText}
      // The server searches.
      filter={({ options }) => options}
      nothingFoundMessage={t.noneFound}
      error={error}
    />
  )
}
