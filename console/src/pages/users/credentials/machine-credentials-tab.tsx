/** What a machine signs in with: its secret, its keys and its personal access tokens. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { MachineUser, User } from '../../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { CopyField } from '../../../parts/copy-field.tsx'
import { downloadText } from '../../../parts/download.ts'
import { ItemList } from '../../../parts/item-list.tsx'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { StateBadge } from '../../../parts/state-badge.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { When } from '../../../parts/when.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { USER_READS } from '../changed-methods.ts'
import { ExpiryForm } from './expiry-form.tsx'
import { credentialTexts } from './texts/index.ts'

interface MachineCredentialsProps {
  readonly user: User
  readonly machine: MachineUser
  readonly mayWrite: boolean
}

/** The tab. */
export function MachineCredentialsTab({ user, machine, mayWrite }: MachineCredentialsProps) {
  return (
    <Stack>
      <KeysSection userId={user.userId} mayWrite={mayWrite} />
      <TokensSection userId={user.userId} mayWrite={mayWrite} />
      <SecretSection user={user} hasSecret={machine.hasSecret} mayWrite={mayWrite} />
    </Stack>
  )
}

interface ListProps {
  readonly userId: string
  readonly mayWrite: boolean
}

function KeysSection({ userId, mayWrite }: ListProps) {
  const t = useTexts(credentialTexts)
  const { listKeys, addKey, removeKey } = UserService.method
  const filters = [{ filter: { case: 'userIdFilter', value: { id: userId } } } as const]
  const { data, error, refetch } = useQuery(listKeys, { pagination: { limit: 1000 }, filters })
  const [file, setFile] = useState<{ readonly name: string; readonly text: string }>()
  const add = useAction(addKey, {
    done: t.keys.added,
    changes: [listKeys],
    onDone: ({ keyId, keyContent }) => setFile({ name: `${keyId}.json`, text: new TextDecoder().decode(keyContent) }),
  })
  const remove = useAction(removeKey, { done: t.keys.removed, changes: [listKeys] })
  return (
    <Section title={t.keys.title} description={t.keys.hint}>
      <ItemList
        label={t.keys.title}
        list={{ rows: data?.result, error, refetch }}
        keyOf={({ id }) => id}
        textOf={({ id }) => id}
        empty={t.keys.empty}
        columns={[
          { key: 'id', header: t.id, cell: ({ id }) => id },
          { key: 'created', header: t.created, cell: ({ creationDate }) => <When time={creationDate} /> },
          { key: 'expires', header: t.expires, cell: ({ expirationDate }) => <When time={expirationDate} /> },
        ]}
        actions={
          mayWrite &&
          (({ id }) => (
            <RemoveButton
              name={id}
              consequence={t.keys.consequence}
              isRunning={remove.isRunning}
              onConfirm={() => remove.run({ userId, keyId: id })}
            />
          ))
        }
      />
      {mayWrite && (
        <ExpiryForm
          label={t.keys.expiry}
          button={t.keys.add}
          action={add}
          requestOf={(expirationDate) => ({ userId, expirationDate })}
        />
      )}
      {file && (
        <Stack gap="xs" align="flex-start">
          <CopyField label={t.keys.file} value={file.text} isSecret />
          <Button onClick={() => downloadText(file.name, file.text)}>{t.keys.download}</Button>
        </Stack>
      )}
    </Section>
  )
}

function TokensSection({ userId, mayWrite }: ListProps) {
  const t = useTexts(credentialTexts)
  const { listPersonalAccessTokens, addPersonalAccessToken, removePersonalAccessToken } = UserService.method
  const filters = [{ filter: { case: 'userIdFilter', value: { id: userId } } } as const]
  const { data, error, refetch } = useQuery(listPersonalAccessTokens, { pagination: { limit: 1000 }, filters })
  const [token, setToken] = useState('')
  const add = useAction(addPersonalAccessToken, {
    done: t.tokens.added,
    changes: [listPersonalAccessTokens],
    onDone: (added) => setToken(added.token),
  })
  const remove = useAction(removePersonalAccessToken, { done: t.tokens.removed, changes: [listPersonalAccessTokens] })
  return (
    <Section title={t.tokens.title} description={t.tokens.hint}>
      <ItemList
        label={t.tokens.title}
        list={{ rows: data?.result, error, refetch }}
        keyOf={({ id }) => id}
        textOf={({ id }) => id}
        empty={t.tokens.empty}
        columns={[
          { key: 'id', header: t.id, cell: ({ id }) => id },
          { key: 'created', header: t.created, cell: ({ creationDate }) => <When time={creationDate} /> },
          { key: 'expires', header: t.expires, cell: ({ expirationDate }) => <When time={expirationDate} /> },
        ]}
        actions={
          mayWrite &&
          (({ id }) => (
            <RemoveButton
              name={id}
              consequence={t.tokens.consequence}
              isRunning={remove.isRunning}
              onConfirm={() => remove.run({ userId, tokenId: id })}
            />
          ))
        }
      />
      {mayWrite && (
        <ExpiryForm
          label={t.tokens.expiry}
          button={t.tokens.add}
          action={add}
          requestOf={(expirationDate) => ({ userId, expirationDate })}
        />
      )}
      {token !== '' && <CopyField label={t.tokens.token} value={token} isSecret />}
    </Section>
  )
}

interface SecretProps {
  readonly user: User
  readonly hasSecret: boolean
  readonly mayWrite: boolean
}

function SecretSection({ user: { userId, username }, hasSecret, mayWrite }: SecretProps) {
  const t = useTexts(credentialTexts)
  const [secret, setSecret] = useState('')
  const add = useAction(UserService.method.addSecret, {
    done: t.secret.added,
    changes: USER_READS,
    onDone: ({ clientSecret }) => setSecret(clientSecret),
  })
  const remove = useAction(UserService.method.removeSecret, {
    done: t.secret.removed,
    changes: USER_READS,
    onDone: () => setSecret(''),
  })
  const badge = <StateBadge mood={hasSecret ? 'good' : 'stopped'} label={hasSecret ? t.secret.set : t.secret.none} />
  return (
    <Section title={t.secret.title} description={t.secret.hint} badge={badge}>
      <CopyField label={t.secret.clientId} value={username} />
      {secret !== '' && <CopyField label={t.secret.secret} value={secret} isSecret />}
      {mayWrite && (
        <Group>
          <Button variant="default" loading={add.isRunning} onClick={() => void add.run({ userId })}>
            {hasSecret ? t.secret.replace : t.secret.add}
          </Button>
          {hasSecret && (
            <RemoveButton
              name={t.secret.title}
              consequence={t.secret.consequence}
              isRunning={remove.isRunning}
              onConfirm={() => remove.run({ userId })}
            />
          )}
        </Group>
      )}
    </Section>
  )
}
