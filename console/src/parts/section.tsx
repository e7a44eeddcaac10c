/** A titled part of a page, such as one card of a tab. */
import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  readonly title: string
  readonly description?: string
  /** Beside the title, such as a state. */
  readonly badge?: ReactNode
  readonly children: ReactNode
}

/** A card with a heading. */
export function Section({ title, description, badge, children }: SectionProps) {
  return (
    <Paper withBorder p="lg" maw={720} component="section" aria-label={title}>
      <Stack gap="md">
        <div>
          <Group gap="sm">
            <Title order={2} size="h4">
              {title}
            </Title>
            {badge}
          </Group>
          {description && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  )
}
