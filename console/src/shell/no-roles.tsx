/** What users see who hold no role: the console is not for them, their account page is. */

import { Anchor, Stack, Text, Title } from '@mantine/core'
import { PATHS } from '../../../src/kernel/page-paths.ts'
import { useTexts } from '../texts/index.tsx'
import { shellTexts } from './texts/index.ts'

/** Leads to the account page. */
export function NoRoles() {
  const t = useTexts(shellTexts)
  return (
    <Stack align="flex-start">
      <Title order={1}>{t.noRoles.title}</Title>
      <Text>{t.noRoles.text}</Text>
      <Anchor href={PATHS.account}>{t.account}</Anchor>
    </Stack>
  )
}
