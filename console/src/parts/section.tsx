/** A titled part of a page, such as one card of a tab. */
import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAnchor } from './use-anchor.ts'

interface SectionProps {
  readonly title: string
  readonly description?: string
  /** Beside the title, such as a state. */
  readonly badge?: ReactNode
  /** The part of an address that leads here; see `places/settings.ts`. */
  readonly anchor?: string | undefined
  readonly children: ReactNode
}

/** A card with a heading. */
export function Section({ title, description, badge, anchor, children }: SectionProps) {
  const place = useAnchor<HTMLDivElement>(anchor)
  return (
    <Paper withBorder p="lg" maw={720} component="section" aria-label={title} {...place}>
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
