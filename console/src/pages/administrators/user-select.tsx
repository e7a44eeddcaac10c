/** Chooses a user by part of a name, address, user name or id. */
import { useQuery } from '@connectrpc/connect-query'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { UserFieldName } from '../../../../contract/gen/signet/user/v2/query_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { useTexts } from '../../texts/index.tsx'
import { anyNameContains } from '../users/search-query.ts'
import { contactOf, displayNameOf } from '../users/user-names.ts'
import { administratorTexts } from './texts/index.ts'

const SHOWN = 20

interface UserSelectProps {
  readonly value: string
  onChange(userId: string): void
  readonly error?: ReactNode
  readonly description?: string
}

/** A field that searches while the user types. */
export function UserSelect({ value, onChange, error, description }: UserSelectProps) {
  const t = useTexts(administratorTexts)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<{ readonly value: string; readonly label: string }>()
  const [searched] = useDebouncedValue(text.trim(), 200)
  const isSearch = searched !== '' && searched !== chosen?.label
  const found = useQuery(
    UserService.method.listUsers,
    {
      query: { limit: SHOWN, asc: true },
      sortingColumn: UserFieldName.DISPLAY_NAME,
      queries: isSearch ? [anyNameContains(searched)] : [],
    },
    { placeholderData: keepPreviousData },
  )
  const listed = (found.data?.result ?? []).map((user) => ({
    value: user.userId,
    label: `${displayNameOf(user)} (${contactOf(user)})`,
  }))
  const data = chosen && !listed.some((one) => one.value === chosen.value) ? [chosen, ...listed] : listed
  return (
    <Select
      label={t.user}
      description={description}
      placeholder={t.userSearch}
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
      nothingFoundMessage={t.noUser}
      error={error}
    />
  )
}
