/** The page of a form that creates something. */
import { Anchor, Button, Group, Paper, Stack, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { FormEventHandler, ReactNode } from 'react'
import { useTexts } from '../texts/index.tsx'
import { FormProblems } from './form-problems.tsx'
import { partsTexts } from './texts/index.ts'
import { usePageTitle } from './use-page-title.ts'

interface FormPageProps {
  readonly title: string
  /** The list that the new object appears in. */
  readonly parent: { readonly to: string; readonly label: string }
  readonly problems: readonly string[]
  readonly isRunning: boolean
  readonly onSubmit: FormEventHandler<HTMLFormElement>
  readonly children: ReactNode
}

/** The page, with a button that names what happens, and one that leads back. */
export function FormPage({ title, parent, problems, isRunning, onSubmit, children }: FormPageProps) {
  const t = useTexts(partsTexts)
  usePageTitle(title)
  return (
    <Stack gap="md" maw={720}>
      <Anchor component={Link} to={parent.to} size="sm" w="fit-content">
        ← {parent.label}
      </Anchor>
      <Title order={1}>{title}</Title>
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
                {title}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </Stack>
  )
}
