/** Asks before unsaved changes of a form are lost: by a link, by the buttons of the browser, or with the tab. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { partsTexts } from '../parts/texts/index.ts'
import { hasUnsavedChanges } from '../parts/unsaved.ts'
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

/** The question, once for the whole console. Focus starts on the way back to the form. */
export function LeaveGuard() {
  const t = useTexts(texts)
  const { close } = useTexts(partsTexts)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: hasUnsavedChanges,
    enableBeforeUnload: hasUnsavedChanges,
    withResolver: true,
  })
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={t.title}
      closeButtonProps={{ 'aria-label': close }}
    >
      <Stack>
        <Text size="sm">{t.text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => reset?.()} data-autofocus>
            {t.stay}
          </Button>
          <Button color="red.9" onClick={() => proceed?.()}>
            {t.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
