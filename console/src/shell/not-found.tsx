/** The page for addresses that the console does not know. */
import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../parts/use-page-title.ts'
import { useTexts } from '../texts/index.tsx'
import { shellTexts } from './texts/index.ts'

/** Says that there is no such page, and leads to the first one. */
export function NotFoundPage() {
  const t = useTexts(shellTexts)
  usePageTitle(t.notFound.title)
  return (
    <Stack align="flex-start">
      <Title order={1}>{t.notFound.title}</Title>
      <Text>{t.notFound.text}</Text>
      <Anchor component={Link} to="/">
        {t.navigation.home}
      </Anchor>
    </Stack>
  )
}
