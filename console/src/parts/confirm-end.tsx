/** Asks before something ends that is not removed, such as a session; the caller words the question and the button. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'
import { partsTexts } from './texts/index.ts'

interface ConfirmEndProps {
  readonly title: string
  readonly text: string
  readonly button: string
  readonly isOpen: boolean
  readonly isRunning: boolean
  onClose(): void
  onConfirm(): Promise<unknown>
}

/** The dialog. Focus starts on "Cancel", so that Enter ends nothing. */
export function ConfirmEnd({ title, text, button, isOpen, isRunning, onClose, onConfirm }: ConfirmEndProps) {
  const t = useTexts(partsTexts)
  const confirm = async () => {
    await onConfirm()
    onClose()
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t.close }}>
      <Stack>
        <Text size="sm">{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t.cancel}
          </Button>
          <Button color="red.9" loading={isRunning} onClick={confirm}>
            {button}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
