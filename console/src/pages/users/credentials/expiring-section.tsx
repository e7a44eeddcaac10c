/** Credentials that expire on a day: their list, a form that adds one, and what is shown of a new one. */
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { Button, Group, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ConfirmEnd } from '../../../parts/confirm-end.tsx'
import { dayIn, endOfDay, isForGood } from '../../../parts/expiry.ts'
import { ItemList } from '../../../parts/item-list.tsx'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { RowButton } from '../../../parts/row-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { partsTexts } from '../../../parts/texts/index.ts'
import type { Action } from '../../../parts/use-action.ts'
import { When } from '../../../parts/when.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { credentialTexts } from './texts/index.ts'

interface Credential {
  readonly id: string
  /** What it is for. */
  readonly name?: string
  readonly creationDate?: Timestamp
  readonly expirationDate?: Timestamp
  readonly lastUsedDate?: Timestamp
}

interface ExpiringSectionProps<Input extends DescMessage, Output extends DescMessage> {
  readonly texts: {
    readonly title: string
    readonly hint: string
    readonly empty: string
    readonly consequence: string
    /** The label of the day. */
    readonly expiry: string
    readonly add: string
  }
  /** The answer of the list method. */
  readonly found: {
    readonly data: { readonly result: readonly Credential[] } | undefined
    readonly error: unknown
    refetch(): unknown
  }
  readonly mayWrite: boolean
  readonly add: Action<Input, Output>
  requestOf(expirationDate: Timestamp, name: string): MessageInitShape<Input>
  readonly isRemoving: boolean
  onRemove(id: string): Promise<unknown>
  /** Replaces one by another one with an expiry. */
  onRenew?(id: string): Promise<unknown>
  /** The secret of a credential that was added just now. */
  readonly children: ReactNode
}

/** What a credential is called: its name, or its ID. */
function nameOf({ name, id }: Credential): string {
  return name || id
}

/** The section. */
export function ExpiringSection<Input extends DescMessage, Output extends DescMessage>(
  props: ExpiringSectionProps<Input, Output>,
) {
  const { texts, found, mayWrite, add, requestOf, isRemoving, onRemove, onRenew, children } = props
  const t = useTexts(credentialTexts)
  return (
    <Section title={texts.title} description={texts.hint}>
      <ItemList
        label={texts.title}
        list={{ rows: found.data?.result, error: found.error, refetch: found.refetch }}
        keyOf={({ id }) => id}
        textOf={nameOf}
        empty={texts.empty}
        columns={[
          { key: 'name', header: t.name, cell: ({ name }) => name || '–' },
          { key: 'id', header: t.id, cell: ({ id }) => id },
          { key: 'created', header: t.created, cell: ({ creationDate }) => <When time={creationDate} /> },
          { key: 'used', header: t.lastUsed, cell: ({ lastUsedDate }) => <When time={lastUsedDate} /> },
          {
            key: 'expires',
            header: t.expires,
            cell: ({ expirationDate }) => (isForGood(expirationDate) ? t.never : <When time={expirationDate} />),
          },
        ]}
        actions={
          mayWrite &&
          ((credential) => (
            <>
              {onRenew && (
                <RenewButton
                  of={nameOf(credential)}
                  isRunning={add.isRunning || isRemoving}
                  onConfirm={() => onRenew(credential.id)}
                />
              )}
              <RemoveButton
                name={nameOf(credential)}
                consequence={texts.consequence}
                isRunning={isRemoving}
                onConfirm={() => onRemove(credential.id)}
              />
            </>
          ))
        }
      />
      {mayWrite && <ExpiryForm label={texts.expiry} button={texts.add} action={add} requestOf={requestOf} />}
      {children}
    </Section>
  )
}

interface RenewButtonProps {
  /** The name of the credential. */
  readonly of: string
  readonly isRunning: boolean
  onConfirm(): Promise<unknown>
}

function RenewButton({ of, isRunning, onConfirm }: RenewButtonProps) {
  const { renew } = useTexts(credentialTexts)
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <RowButton label={renew.button} of={of} onClick={open} />
      <ConfirmEnd
        title={renew.title}
        text={renew.text}
        button={renew.button}
        isOpen={isOpen}
        isRunning={isRunning}
        onClose={close}
        onConfirm={onConfirm}
      />
    </>
  )
}

interface ExpiryFormProps<Input extends DescMessage, Output extends DescMessage> {
  readonly label: string
  readonly button: string
  readonly action: Action<Input, Output>
  requestOf(expirationDate: Timestamp, name: string): MessageInitShape<Input>
}

/** The form. It starts with a year, and takes no day that has passed. */
function ExpiryForm<Input extends DescMessage, Output extends DescMessage>(props: ExpiryFormProps<Input, Output>) {
  const { label, button, action, requestOf } = props
  const t = useTexts(credentialTexts)
  const { required } = useTexts(partsTexts)
  const [day, setDay] = useState(() => dayIn(365))
  const [name, setName] = useState('')
  const [error, setError] = useState('')
  const send = async (event: FormEvent) => {
    event.preventDefault()
    const expirationDate = endOfDay(day)
    if (expirationDate === undefined) return setError(required)
    if (day < dayIn(0)) return setError(t.expiryPassed)
    setError('')
    if ((await action.run(requestOf(expirationDate, name.trim()))) !== undefined) setName('')
  }
  return (
    <form onSubmit={(event) => void send(event)} noValidate aria-label={button}>
      <Group align="flex-start">
        <TextInput
          label={t.name}
          description={t.nameHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={label}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
          required
          error={error || undefined}
        />
        <Button type="submit" loading={action.isRunning} mt={{ base: 0, xs: 25 }}>
          {button}
        </Button>
      </Group>
    </form>
  )
}
