/** The tokens of directories: create one in one step, see it once, revoke it. */
import { createConnectQueryKey, useTransport } from '@connectrpc/connect-query'
import { Button, Group, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  DirectorySyncService,
  type DirectoryToken,
} from '../../../../contract/gen/signet/directory_sync/v1/directory_sync_service_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { dayIn, endOfDay, isForGood } from '../../parts/expiry.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { type ItemColumn, ItemList } from '../../parts/item-list.tsx'
import { RemoveButton } from '../../parts/remove-button.tsx'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { createDirectoryToken } from './create-token.ts'
import type { DirectorySyncTexts } from './texts/en.ts'
import { directorySyncTexts } from './texts/index.ts'

const ABOUT_A_YEAR = 365
const CHANGED = DirectorySyncService.method.getDirectorySync

function columnsOf(t: DirectorySyncTexts): [ItemColumn<DirectoryToken>, ...ItemColumn<DirectoryToken>[]] {
  return [
    { key: 'name', header: t.directory, cell: ({ name, tokenId }) => name || tokenId },
    { key: 'created', header: t.created, cell: ({ creationDate }) => <When time={creationDate} /> },
    { key: 'used', header: t.lastUsed, cell: ({ lastUsedDate }) => <When time={lastUsedDate} /> },
    {
      key: 'expires',
      header: t.expires,
      cell: ({ expirationDate }) => (isForGood(expirationDate) ? t.never : <When time={expirationDate} />),
    },
  ]
}

interface TokensProps {
  readonly organizationId: string
  readonly tokens: readonly DirectoryToken[]
}

export function TokensSection({ organizationId, tokens }: TokensProps) {
  const t = useTexts(directorySyncTexts)
  const { can } = usePermissions()
  const place = { organizationId }
  const mayCreate = can('user.write', place) && can('org.member.write', place)
  const revoke = useAction(UserService.method.removePersonalAccessToken, { done: t.revoked, changes: [CHANGED] })
  return (
    <Section title={t.tokens} description={t.tokensHint}>
      <ItemList
        label={t.tokens}
        columns={columnsOf(t)}
        list={{ rows: tokens, error: null, refetch: () => {} }}
        keyOf={({ tokenId }) => tokenId}
        textOf={({ name, tokenId }) => `${name} ${tokenId}`}
        empty={t.noTokens}
        actions={
          mayCreate &&
          (({ name, userId, tokenId }) => (
            <RemoveButton
              name={name || tokenId}
              consequence={t.revokeConsequence}
              isRunning={revoke.isRunning}
              onConfirm={() => revoke.run({ userId, tokenId })}
            />
          ))
        }
      />
      {mayCreate && <CreateToken organizationId={organizationId} />}
    </Section>
  )
}

function CreateToken({ organizationId }: { readonly organizationId: string }) {
  const t = useTexts(directorySyncTexts)
  const transport = useTransport()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [day, setDay] = useState(() => dayIn(ABOUT_A_YEAR))
  const create = useMutation({
    mutationFn: () =>
      createDirectoryToken(transport, {
        ...{ organizationId, name: name.trim() || t.defaultName, expirationDate: endOfDay(day) },
      }),
    onSettled: () =>
      queries.invalidateQueries({ queryKey: createConnectQueryKey({ schema: CHANGED, cardinality: undefined }) }),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <>
      <form onSubmit={send}>
        <Group align="flex-end">
          <TextInput
            label={t.directory}
            placeholder={t.defaultName}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={t.expires}
            type="date"
            required
            min={dayIn(1)}
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending}>
            {t.createToken}
          </Button>
        </Group>
      </form>
      {create.error !== null && <FailureNotice error={create.error} />}
      {create.data !== undefined && <CopyField label={t.token} value={create.data} isSecret />}
    </>
  )
}
