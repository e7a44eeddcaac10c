/** The question whether unsaved changes may be lost; loaded when it is asked. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { partsTexts } from '../parts/texts/index.ts'
import { type Texts, useTexts } from '../texts/index.tsx'

const en = {
  title: 'Discard unsaved changes?',
  text: 'You’ll lose what you changed on this page.',
  stay: 'Keep editing',
  leave: 'Discard',
}

const texts: Texts<typeof en> = {
  en,
  de: {
    title: 'Nicht gespeicherte Änderungen verwerfen?',
    text: 'Was Sie auf dieser Seite geändert haben, geht verloren.',
    stay: 'Weiter bearbeiten',
    leave: 'Verwerfen',
  },
  fr: {
    title: 'Abandonner les modifications non enregistrées ?',
    text: 'Ce que vous avez modifié sur cette page sera perdu.',
    stay: 'Continuer la modification',
    leave: 'Abandonner',
  },
}

export interface LeaveQuestionProps {
  onStay(): void
  onLeave(): void
}

/** Focus starts on the way back to the form. */
export function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps) {
  const t = useTexts(texts)
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
