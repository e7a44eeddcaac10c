/** The question whether unsaved changes may be lost; loaded when it is asked. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { partsTexts } from '../parts/texts/index.ts'
import { useTexts } from '../texts/index.tsx'
import { leaveTexts } from './texts/leave/index.ts'

export interface LeaveQuestionProps {
  onStay(): void
  onLeave(): void
}

/** Focus starts on the way back to the form. */
export function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps) {
  const t = useTexts(leaveTexts)
  const { close } = useTexts(partsTexts)
  return (
    <Modal opened onClose={onStay} title={t.title} closeButtonProps={{ 'aria-label': close }}>
      <Stack>
        <Text size="sm">{t.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onStay} data-autofocus>
            {t.stay}
          </Button>
          <Button color="red.9" onClick={onLeave}>
            {t.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
