/** The passkeys of a person, and the link with which they register another one. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { AuthFactorState } from '../../../../../contract/gen/signet/user/v2/authentication_pb.ts'
import type { Passkey } from '../../../../../contract/gen/signet/user/v2/passkey_pb.ts'
import { UserService } from '../../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { CopyField } from '../../../parts/copy-field.tsx'
import { ItemList } from '../../../parts/item-list.tsx'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { StateBadge } from '../../../parts/state-badge.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { When } from '../../../parts/when.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { pageLink } from './page-link.ts'
import { credentialTexts } from './texts/index.ts'

/** What the caller may do with the sign-in methods of a person. */
export interface CredentialRights {
  readonly mayWrite: boolean
  readonly maySendLinks: boolean
}

interface PasskeysProps extends CredentialRights {
  readonly userId: string
  readonly organizationId: string
}

/** The section. */
export function PasskeysSection({ userId, organizationId, mayWrite, maySendLinks }: PasskeysProps) {
  const t = useTexts(credentialTexts)
  const { listPasskeys, removePasskey } = UserService.method
  const { data, error, refetch } = useQuery(listPasskeys, { userId })
  const remove = useAction(removePasskey, { done: t.passkeys.removed, changes: [listPasskeys] })
  const nameOf = ({ id, name }: Passkey) => name || id
  return (
    <Section title={t.passkeys.title} description={t.passkeys.hint}>
      <ItemList
        label={t.passkeys.title}
        list={{ rows: data?.result, error, refetch }}
        keyOf={({ id }) => id}
        textOf={nameOf}
        empty={t.passkeys.empty}
        columns={[
          { key: 'name', header: t.name, cell: nameOf },
          { key: 'state', header: t.state, cell: ({ state }) => <FactorState state={state} /> },
          { key: 'used', header: t.lastUsed, cell: ({ lastUsedDate }) => <When time={lastUsedDate} /> },
        ]}
        actions={
          mayWrite &&
          ((passkey) => (
            <RemoveButton
              name={nameOf(passkey)}
              consequence={t.passkeys.consequence}
              isRunning={remove.isRunning}
              onConfirm={() => remove.run({ userId, passkeyId: passkey.id })}
            />
          ))
        }
      />
      {maySendLinks && <RegistrationLink userId={userId} organizationId={organizationId} />}
    </Section>
  )
}

/** Whether a factor works already. */
export function FactorState({ state }: { readonly state: AuthFactorState }) {
  const t = useTexts(credentialTexts)
  if (state === AuthFactorState.READY) return <StateBadge mood="good" label={t.ready} />
  return <StateBadge mood="waiting" label={t.notReady} />
}

function RegistrationLink({ userId, organizationId }: { readonly userId: string; readonly organizationId: string }) {
  const t = useTexts(credentialTexts)
  const [link, setLink] = useState('')
  const create = useAction(UserService.method.createPasskeyRegistrationLink, {
    done: t.passkeys.linkDone,
    onDone: ({ code }) =>
      setLink(code ? pageLink('/ui/passkeys/register', userId, organizationId, code.code, code.id) : ''),
  })
  return (
    <>
      <Group>
        <Button
          variant="default"
          loading={create.isRunning}
          onClick={() => void create.run({ userId, medium: { case: 'sendLink', value: {} } })}
        >
          {t.passkeys.sendLink}
        </Button>
        <Button
          variant="default"
          loading={create.isRunning}
          onClick={() => void create.run({ userId, medium: { case: 'returnCode', value: {} } })}
        >
          {t.passkeys.showLink}
        </Button>
      </Group>
      {link !== '' && <CopyField label={t.passkeys.link} value={link} isSecret />}
    </>
  )
}
