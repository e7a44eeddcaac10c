/** Finds people by part of a name, address, user name or id. Arrow keys choose, Enter opens. */
import { useQuery } from '@connectrpc/connect-query'
import { Box, Group, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { UserFieldName } from '../../../contract/gen/signet/user/v2/query_pb.ts'
import type { User } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { anyNameContains } from '../pages/users/search-query.ts'
import { contactOf, displayNameOf } from '../pages/users/user-names.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Icon } from '../parts/icons.tsx'
import { useTexts } from '../texts/index.tsx'
import { shellTexts } from './texts/index.ts'

const SHOWN = 8

/** The dialog, while it is open. */
export function SearchDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(shellTexts)
  const id = useId()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const [searched] = useDebouncedValue(text.trim(), 200)
  const found = useQuery(
    UserService.method.listUsers,
    {
      query: { limit: SHOWN, asc: true },
      sortingColumn: UserFieldName.DISPLAY_NAME,
      queries: [anyNameContains(searched)],
    },
    { enabled: searched !== '', placeholderData: keepPreviousData },
  )
  const users = searched === '' ? [] : (found.data?.result ?? [])
  const openUser = ({ userId }: User) => {
    onClose()
    void navigate({ to: '/users/$userId', params: { userId } })
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && users.length > 0) setIndex((index + step + users.length) % users.length)
    const chosen = users[index]
    if (event.key === 'Enter' && chosen) openUser(chosen)
    if (step !== undefined || event.key === 'Enter') event.preventDefault()
  }
  return (
    <Modal opened onClose={onClose} withCloseButton={false} padding="sm" yOffset="10vh" aria-label={t.search.button}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded={users.length > 0}
        aria-controls={`${id}-results`}
        aria-activedescendant={users[index] && `${id}-${index}`}
        aria-label={t.search.label}
        placeholder={t.search.label}
        leftSection={<Icon name="search" />}
        size="md"
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => {
          setText(event.currentTarget.value)
          setIndex(0)
        }}
        onKeyDown={press}
      />
      {found.error && <FailureNotice error={found.error} onRetry={found.refetch} />}
      {searched !== '' && found.data?.result.length === 0 && (
        <Text role="status" p="sm" c="dimmed">
          {t.search.nothing}
        </Text>
      )}
      <Stack id={`${id}-results`} role="listbox" aria-label={t.search.button} gap={2} mt={users.length > 0 ? 'xs' : 0}>
        {users.map((user, at) => (
          <Result key={user.userId} id={`${id}-${at}`} user={user} isChosen={at === index} onOpen={openUser} />
        ))}
      </Stack>
    </Modal>
  )
}

interface ResultProps {
  readonly id: string
  readonly user: User
  readonly isChosen: boolean
  onOpen(user: User): void
}

function Result({ id, user, isChosen, onOpen }: ResultProps) {
  return (
    <UnstyledButton
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onClick={() => onOpen(user)}
      p="xs"
      bdrs="md"
      bg={isChosen ? 'var(--mantine-primary-color-light)' : undefined}
    >
      <Group gap="sm" wrap="nowrap">
        <Icon name={user.type.case === 'machine' ? 'machine' : 'person'} />
        <Box miw={0}>
          <Text truncate>{displayNameOf(user)}</Text>
          <Text size="sm" c="dimmed" truncate>
            {contactOf(user)}
          </Text>
        </Box>
      </Group>
    </UnstyledButton>
  )
}
