/** A titled form that changes settings in place. */
import { Button, Fieldset, Group, Stack } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import { FormProblems } from './form-problems.tsx'
import { Section } from './section.tsx'
import { partsTexts } from './texts/index.ts'

interface FormSectionProps {
  readonly title: string
  readonly description?: string
  readonly badge?: ReactNode
  readonly anchor?: string | undefined
  readonly problems?: readonly string[]
  readonly mayWrite: boolean
  readonly isRunning: boolean
  readonly isDirty: boolean
  readonly onSubmit: FormEventHandler<HTMLFormElement>
  /** Another word for "Save". */
  readonly saveLabel?: string
  /** More buttons, before the one that saves. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The card. Without the permission, its fields can be read and not changed. */
export function FormSection(props: FormSectionProps) {
  const { title, description, badge, anchor, problems = [], mayWrite, isRunning, isDirty, onSubmit, actions } = props
  const t = useTexts(partsTexts)
  return (
    <Section title={title} {...(description !== undefined && { description })} badge={badge} anchor={anchor}>
      <form onSubmit={onSubmit} noValidate aria-label={title}>
        <Fieldset variant="unstyled" disabled={!mayWrite}>
          <Stack>
            <FormProblems problems={problems} />
            {props.children}
            {mayWrite && (
              <Group justify="flex-end">
                {actions}
                <Button type="submit" loading={isRunning} disabled={!isDirty}>
                  {props.saveLabel ?? t.save}
                </Button>
              </Group>
            )}
          </Stack>
        </Fieldset>
      </form>
    </Section>
  )
}
