/** A page with a title and its content, without a list and without tabs. */
import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from './use-page-title.ts'

interface AreaPageProps {
  readonly title: string
  readonly description?: ReactNode
  readonly badge?: ReactNode
  readonly actions?: ReactNode
  /** The links to the other pages of the area. */
  readonly links?: ReactNode
  readonly children: ReactNode
}

/** The page. */
export function AreaPage({ title, description, badge, actions, links, children }: AreaPageProps) {
  usePageTitle(title)
  return (
    <Stack gap="md" component="section">
      {links}
      <Group justify="space-between" align="flex-start">
        <div className="page-head">
          <Group gap="sm">
            <Title order={1}>{title}</Title>
            {badge}
          </Group>
          {description && <Text c="dimmed">{description}</Text>}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
