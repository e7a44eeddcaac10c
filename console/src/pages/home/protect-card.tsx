/** Leads to what most people come for: an app that people sign in to. */
import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePermissions } from '../../access/me.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useTexts } from '../../texts/index.tsx'
import { homeTexts } from './texts/index.ts'

/** The card, for those who may create applications. */
export function ProtectCard() {
  const { protect: t } = useTexts(homeTexts)
  const { canSomewhere } = usePermissions()
  if (!canSomewhere('project.app.write')) return null
  return (
    <Paper withBorder p="lg" component="section" aria-label={t.title}>
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4">
            {t.title}
          </Title>
          <Text size="sm" c="dimmed">
            {t.hint}
          </Text>
        </div>
        <Button component={Link} to="/protect-an-app" leftSection={<Icon name="shield" size={16} />}>
          {t.button}
        </Button>
      </Group>
    </Paper>
  )
}
