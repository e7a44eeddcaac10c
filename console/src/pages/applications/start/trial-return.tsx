/** The page at which a sign-in ends that an administrator tries out. It closes itself where the browser lets it. */
import { Center, Stack, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { usePageTitle } from '../../../parts/use-page-title.ts'
import { useTexts } from '../../../texts/index.tsx'
import { startTexts } from './texts/index.ts'

/** The page. */
export function TrialReturn() {
  const { trial: t } = useTexts(startTexts)
  usePageTitle(t.returnTitle)
  useEffect(() => window.close(), [])
  return (
    <Center mih="100svh" p="md" component="main">
      <Stack gap="xs">
        <Title order={1} size="h3">
          {t.returnTitle}
        </Title>
        <Text>{t.returnText}</Text>
      </Stack>
    </Center>
  )
}
