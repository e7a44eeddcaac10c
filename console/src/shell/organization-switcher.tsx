/** Chooses the organization that the user works in, with a search for those who can read many. */

import { useQuery } from '@connectrpc/connect-query'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { TextQueryMethod } from '../../../contract/gen/signet/object/v2/object_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { OrganizationFieldName } from '../../../contract/gen/signet/org/v2/query_pb.ts'
import { useOrganization } from '../access/organization.tsx'
import { Icon } from '../parts/icons.tsx'
import { useTexts } from '../texts/index.tsx'
import { shellTexts } from './texts/index.ts'

const ALL = 'all'
const SHOWN = 20

function nameQuery(name: string) {
  const method = TextQueryMethod.CONTAINS_IGNORE_CASE
  return { query: { case: 'nameQuery', value: { name, method } } } as const
}

function idQuery(id: string) {
  return { query: { case: 'idQuery', value: { id } } } as const
}

/** A field in the header. It finds organizations by part of their name. */
export function OrganizationSwitcher() {
  const t = useTexts(shellTexts)
  const { organizationId, choose, mayChooseAll } = useOrganization()
  const [text, setText] = useState('')
  const [name] = useDebouncedValue(text, 250)
  const { listOrganizations } = OrganizationService.method
  const chosen = useQuery(
    listOrganizations,
    { queries: organizationId === undefined ? [] : [idQuery(organizationId)] },
    { enabled: organizationId !== undefined },
  )
  const current = organizationId === undefined ? undefined : chosen.data?.result[0]
  const isSearch = name !== '' && name !== current?.name && name !== t.allOrganizations
  const found = useQuery(
    listOrganizations,
    {
      query: { limit: SHOWN, asc: true },
      sortingColumn: OrganizationFieldName.NAME,
      queries: isSearch ? [nameQuery(name)] : [],
    },
    { placeholderData: keepPreviousData },
  )
  // The organization was removed, or the user lost their role in it.
  const isGone = organizationId !== undefined && chosen.data?.result.length === 0
  useEffect(() => {
    if (isGone) choose(undefined)
  }, [isGone, choose])
  const listed = (found.data?.result ?? []).map(({ id, name: label }) => ({ value: id, label }))
  const shown = current && !listed.some(({ value }) => value === current.id)
  const data = [
    ...(mayChooseAll ? [{ value: ALL, label: t.allOrganizations }] : []),
    ...(shown ? [{ value: current.id, label: current.name }] : []),
    ...listed,
  ]
  return (
    <Select
      aria-label={t.organization}
      data={data}
      value={organizationId ?? (mayChooseAll ? ALL : null)}
      onChange={(value) => choose(value === ALL || value === null ? undefined : value)}
      searchable
      onSearchChange={setText}
      nothingFoundMessage={t.search.nothing}
      allowDeselect={false}
      leftSection={<Icon name="organization" size={16} />}
      w={{ base: '100%', sm: 240 }}
      maw={240}
      miw={0}
    />
  )
}
