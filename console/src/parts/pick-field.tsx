/** Chooses a user, an application or another thing by its name. An ID that is typed or pasted works too. */
import { useQuery, useTransport } from '@connectrpc/connect-query'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { ApplicationService } from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { useMe } from '../access/me.tsx'
import { useTargetOrganization } from '../access/organization.tsx'
import { SOURCES, type Thing, type ThingGroup } from '../places/sources.ts'
import { shellTexts } from '../shell/texts/index.ts'
import { useTexts } from '../texts/index.tsx'
import { partsTexts } from './texts/index.ts'

/** The things of these groups with a name, or with the ID that is given in place of one. */
function useThings(groups: readonly ThingGroup[], text: string): { things: readonly Thing[]; isReading: boolean } {
  const transport = useTransport()
  const { permissions } = useMe()
  const organizationId = useTargetOrganization()
  const sources = SOURCES.filter(({ group, mayAsk }) => groups.includes(group) && mayAsk(permissions, organizationId))
  const answers = useQueries({
    queries: sources.map(({ query, read }) => ({ ...query(transport, text), enabled: text !== '', select: read })),
  })
  return {
    things: answers.flatMap(({ data }) => (data as readonly Thing[] | undefined) ?? []),
    isReading: answers.some(({ isFetching }) => isFetching),
  }
}

/** The name of what is chosen. No list of applications finds one by its ID. */
function useNameOf(groups: readonly ThingGroup[], id: string): string | undefined {
  const found = useThings(groups, id).things.find((thing) => thing.id === id)?.label
  const enabled = id !== '' && groups.includes('applications') && found === undefined
  const application = useQuery(
    ApplicationService.method.getApplication,
    { applicationId: id },
    { enabled, retry: false },
  )
  return found ?? application.data?.application?.name
}

interface PickFieldProps {
  readonly label: string
  readonly groups: readonly ThingGroup[]
  /** The ID; empty when nothing is chosen. */
  readonly value: string
  onChange(id: string): void
}

/** A field that searches while the user types. */
export function PickField({ label, groups, value, onChange }: PickFieldProps) {
  const { list } = useTexts(partsTexts)
  const { search } = useTexts(shellTexts)
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text.trim(), 200)
  const chosenName = useNameOf(groups, value) ?? value
  const wanted = settled === chosenName ? '' : settled
  const { things, isReading } = useThings(groups, wanted)
  const optionOf = ({ id, label: name, detail }: Thing) => ({
    value: id,
    label: id === value ? chosenName : detail === '' ? name : `${name} (${detail})`,
  })
  const found = groups
    .map((group) => ({ group: search.groups[group], items: things.filter((one) => one.group === group).map(optionOf) }))
    .filter(({ items }) => items.length > 0)
  const isListed = (id: string) => things.some((thing) => thing.id === id)
  const others = [
    ...(value !== '' && !isListed(value) ? [{ value, label: chosenName }] : []),
    // An ID of something that was removed is in no list.
    ...(wanted !== '' && wanted !== value && !/\s/.test(wanted) && !isListed(wanted)
      ? [{ value: wanted, label: list.byId({ id: wanted }) }]
      : []),
  ]
  return (
    <Select
      label={label}
      placeholder={list.all}
      data={[...found, ...others]}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      onSearchChange={setText}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `${label}: ${list.all}` }}
      // The server searches.
      filter={({ options }) => options}
      nothingFoundMessage={wanted === '' ? list.typeName : isReading ? search.reading : list.nothingFound}
      flex="1 1 13rem"
      maw={320}
    />
  )
}
