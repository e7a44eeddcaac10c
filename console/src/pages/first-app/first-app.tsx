/** Protect an app: what is being built, its name and address, and then everything it takes to use it. */
import { Anchor, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { FRAMEWORK_NAMES, FRAMEWORKS } from '../../../../packages/create/frameworks/index.ts'
import { usePageTitle } from '../../parts/use-page-title.ts'
import { useTexts } from '../../texts/index.tsx'
import type { Started } from '../applications/start/get-started.tsx'
import { ReadyPage } from '../applications/start/ready-page.tsx'
import { NewAppForm } from './new-app-form.tsx'
import { firstAppTexts } from './texts/index.ts'

interface Created {
  readonly name: string
  readonly started: Started
}

/** The page. Its steps are in the address, except for the last one, which shows a secret once. */
export function FirstAppPage() {
  const t = useTexts(firstAppTexts)
  const { framework: named } = useSearch({ from: '/protect-an-app' })
  const framework = FRAMEWORK_NAMES.find((name) => name === named)
  const [created, setCreated] = useState<Created>()
  if (created !== undefined && framework !== undefined) {
    return <ReadyPage {...created} framework={framework} subtitle={t.step({ number: 3 })} />
  }
  if (framework === undefined) return <Choice />
  return <NewAppForm key={framework} name={framework} onCreated={setCreated} />
}

/** The first step: one click. */
function Choice() {
  const t = useTexts(firstAppTexts)
  const heading = useRef<HTMLHeadingElement>(null)
  usePageTitle(t.title)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Stack gap="md" maw={720}>
      <Anchor component={Link} to="/" size="sm" w="fit-content">
        ← {t.home}
      </Anchor>
      <div>
        <Title order={1} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {t.title}
        </Title>
        <Text c="dimmed">{t.step({ number: 1 })}</Text>
      </div>
      <Title order={2} size="h4">
        {t.what}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2 }} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {FRAMEWORK_NAMES.map((name) => (
          <li key={name}>
            <Button
              component={Link}
              to="/protect-an-app"
              search={{ framework: name } as never}
              variant="default"
              fullWidth
              h="auto"
              py="sm"
              justify="flex-start"
              styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
            >
              <span>
                <Text span fw={600} display="block">
                  {FRAMEWORKS[name].label}
                </Text>
                <Text span size="sm" c="dimmed" display="block">
                  {t.kinds[FRAMEWORKS[name].kind]}
                </Text>
              </span>
            </Button>
          </li>
        ))}
      </SimpleGrid>
      <Group gap={6}>
        <Text size="sm">{t.machine}</Text>
        <Anchor component={Link} to="/users/new-machine" size="sm">
          {t.createMachine}
        </Anchor>
      </Group>
    </Stack>
  )
}
