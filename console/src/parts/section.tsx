/** A titled part of a page, such as one card of a tab. */
import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  readonly title: string
  readonly description?: string
  readonly children: ReactNode
}

/** A card with a heading. */
export function Section({ title, description, children }: SectionProps) {
  return (
    <Paper withBorder p="lg" maw={720} component="section" aria-label={title}>
      <Stack gap="md">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
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
