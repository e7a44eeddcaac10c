/** An application that was just made: its secret, shown once, and everything to start with. */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { FrameworkName } from '../../../../../packages/create/frameworks/index.ts'
import { usePermissions } from '../../../access/me.tsx'
import { usePageTitle } from '../../../parts/use-page-title.ts'
import { useTexts } from '../../../texts/index.tsx'
import { applicationTexts } from '../texts/index.ts'
import { GetStarted, type Started } from './get-started.tsx'
import { OneTimeSecret } from './one-time-secret.tsx'

interface ReadyPageProps {
  readonly name: string
  readonly started: Started
  readonly framework?: FrameworkName
  readonly subtitle?: string
}

/** The page. Without a secret, the focus is on its heading. */
export function ReadyPage({ name, started, framework, subtitle }: ReadyPageProps) {
  const t = useTexts(applicationTexts)
  const { can } = usePermissions()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isKept, setIsKept] = useState(false)
  const { applicationId, clientSecret = '', kind, place } = started
  const { projectId } = place
  const keep = () => setIsKept(true)
  usePageTitle(t.createdTitle({ name }))
  useEffect(() => {
    if (clientSecret === '') heading.current?.focus()
  }, [clientSecret])
  return (
    <Stack gap="md" maw={720}>
      <div>
        <Title order={1} ref={heading} tabIndex={-1} style={{ outline: 'none', overflowWrap: 'anywhere' }}>
          {t.createdTitle({ name })}
        </Title>
        {subtitle && <Text c="dimmed">{subtitle}</Text>}
      </div>
      {clientSecret !== '' && (
        <Paper withBorder p="lg">
          <OneTimeSecret label={t.clientSecret} value={clientSecret} isKept={isKept} onKept={keep} />
        </Paper>
      )}
      <GetStarted started={started} framework={framework} mayTry={can('project.app.write', place)} onKept={keep} />
      {kind !== 'api' && <Text size="sm">{t.nextStep}</Text>}
      <Group justify="flex-end">
        <Button
          component={Link}
          to="/projects/$projectId/applications/$applicationId"
          params={{ projectId, applicationId } as never}
        >
          {t.open}
        </Button>
      </Group>
    </Stack>
  )
}
