/** Asks before something is removed, and names it. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import { partsTexts } from './texts/index.ts'

interface ConfirmRemoveProps {
  /** The name of the item as the user knows it. */
  readonly name: string
  readonly isOpen: boolean
  onClose(): void
  /** Removes; the dialog closes when it resolves. */
  onConfirm(): Promise<unknown>
  readonly isRunning?: boolean
  /** What else is lost. */
  readonly consequence?: string
  /** For what cannot be brought back and is large, such as an organization: the name must be typed. */
  readonly mustTypeName?: boolean
}

/** The dialog. Focus starts on "Cancel", so that Enter removes nothing. */
export function ConfirmRemove(props: ConfirmRemoveProps) {
  const { name, isOpen, onClose, onConfirm, isRunning = false, consequence, mustTypeName = false } = props
  const t = useTexts(partsTexts)
  const [typed, setTyped] = useState('')
  const close = () => {
    setTyped('')
    onClose()
  }
  const confirm = async () => {
    await onConfirm()
    close()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t.remove.title({ name })}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <Stack>
        <Text size="sm">{consequence ?? t.remove.consequence}</Text>
        {mustTypeName && (
          <TextInput
            label={t.remove.typeName({ name })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {t.cancel}
          </Button>
          <Button color="red.9" onClick={confirm} loading={isRunning} disabled={mustTypeName && typed !== name}>
            {t.remove.button}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
