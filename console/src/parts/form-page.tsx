/** The page of a form that creates something. */
import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { FormEventHandler, ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import { FormProblems } from './form-problems.tsx'
import { partsTexts } from './texts/index.ts'
import { usePageTitle } from './use-page-title.ts'

interface FormPageProps {
  readonly title: string
  readonly subtitle?: string
  /** What the button says; the title, if it is not given. */
  readonly button?: string
  /** The list that the new object appears in. */
  readonly parent: { readonly to: string; readonly label: string }
  readonly problems: readonly string[]
  readonly isRunning: boolean
  readonly onSubmit: FormEventHandler<HTMLFormElement>
  readonly children: ReactNode
}

/** The page, with a button that names what happens, and one that leads back. */
export function FormPage(props: FormPageProps) {
  const { title, subtitle, button = title, parent, problems, isRunning, onSubmit, children } = props
  const t = useTexts(partsTexts)
  usePageTitle(title)
  return (
    <Stack gap="md" maw={720}>
      <Anchor component={Link} to={parent.to} size="sm" w="fit-content">
        ← {parent.label}
      </Anchor>
      <div>
        <Title order={1}>{title}</Title>
        {subtitle && <Text c="dimmed">{subtitle}</Text>}
      </div>
      <Paper withBorder p="lg">
        <form onSubmit={onSubmit} noValidate>
          <Stack>
            <FormProblems problems={problems} />
            {children}
            <Group justify="flex-end">
              <Button component={Link} to={parent.to} variant="default">
                {t.cancel}
              </Button>
              <Button type="submit" loading={isRunning}>
                {button}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </Stack>
  )
}
