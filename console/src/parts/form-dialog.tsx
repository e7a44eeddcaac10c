/** A short form in a dialog, to add or edit a part of an object. */
import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import { FormProblems } from './form-problems.tsx'
import { partsTexts } from './texts/index.ts'

interface FormDialogProps {
  readonly title: string
  /** What the button says that sends the form. */
  readonly submitLabel: string
  readonly problems?: readonly string[]
  readonly isRunning: boolean
  onClose(): void
  readonly onSubmit: FormEventHandler<HTMLFormElement>
  readonly children: ReactNode
}

/** The dialog, while it is open. Mount it anew for each use, so that the form starts empty. */
export function FormDialog(props: FormDialogProps) {
  const { title, submitLabel, problems = [], isRunning, onClose, onSubmit, children } = props
  const t = useTexts(partsTexts)
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t.close }}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <FormProblems problems={problems} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={isRunning}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
