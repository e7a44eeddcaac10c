/** What a machine signs in with: its secret, its keys and its personal access tokens. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { MachineUser, User } from '../../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { CopyField } from '../../../parts/copy-field.tsx'
import { downloadText } from '../../../parts/download.ts'
import { dayIn, endOfDay } from '../../../parts/expiry.ts'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { StateBadge } from '../../../parts/state-badge.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { useTexts } from '../../../texts/index.tsx'
import { USER_READS } from '../changed-methods.ts'
import { ExpiringSection } from './expiring-section.tsx'
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

/** How long a token that replaces another one works. */
const RENEWED_FOR_DAYS = 365

interface ListProps {
  readonly userId: string
  readonly mayWrite: boolean
}

/** The request of a list: all that the user has. */
function listOf(userId: string) {
  const filters = [{ filter: { case: 'userIdFilter', value: { id: userId } } } as const]
  return { pagination: { limit: 1000 }, filters }
}

function KeysSection({ userId, mayWrite }: ListProps) {
  const { keys } = useTexts(credentialTexts)
  const { listKeys, addKey, removeKey } = UserService.method
  const found = useQuery(listKeys, listOf(userId))
  const [file, setFile] = useState<{ readonly name: string; readonly text: string }>()
  const add = useAction(addKey, {
    done: keys.added,
    changes: [listKeys],
    onDone: ({ keyId, keyContent }) => setFile({ name: `${keyId}.json`, text: new TextDecoder().decode(keyContent) }),
  })
  const remove = useAction(removeKey, { done: keys.removed, changes: [listKeys] })
  return (
    <ExpiringSection
      texts={keys}
      found={found}
      mayWrite={mayWrite}
      add={add}
      requestOf={(expirationDate, name) => ({ userId, expirationDate, name })}
      isRemoving={remove.isRunning}
      onRemove={(keyId) => remove.run({ userId, keyId })}
    >
      {file && (
        <Stack gap="xs" align="flex-start">
          <CopyField label={keys.file} value={file.text} isSecret />
          <Button onClick={() => downloadText(file.name, file.text)}>{keys.download}</Button>
        </Stack>
      )}
    </ExpiringSection>
  )
}

function TokensSection({ userId, mayWrite }: ListProps) {
  const { tokens } = useTexts(credentialTexts)
  const { listPersonalAccessTokens, addPersonalAccessToken, removePersonalAccessToken } = UserService.method
  const found = useQuery(listPersonalAccessTokens, listOf(userId))
  const [token, setToken] = useState('')
  const changes = [listPersonalAccessTokens]
  const add = useAction(addPersonalAccessToken, {
    done: tokens.added,
    changes,
    onDone: (added) => setToken(added.token),
  })
  const remove = useAction(removePersonalAccessToken, { done: tokens.removed, changes })
  const renew = async (tokenId: string) => {
    const expirationDate = endOfDay(dayIn(RENEWED_FOR_DAYS))
    // The new one first: without it, nothing is taken away.
    const name = found.data?.result.find(({ id }) => id === tokenId)?.name ?? ''
    const added = expirationDate && (await add.run({ userId, expirationDate, name }))
    if (added !== undefined) await remove.run({ userId, tokenId })
  }
  return (
    <ExpiringSection
      texts={tokens}
      found={found}
      mayWrite={mayWrite}
      add={add}
      requestOf={(expirationDate, name) => ({ userId, expirationDate, name })}
      isRemoving={remove.isRunning}
      onRemove={(tokenId) => remove.run({ userId, tokenId })}
      onRenew={renew}
    >
      {token !== '' && <CopyField label={tokens.token} value={token} isSecret />}
    </ExpiringSection>
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
