/** The first page: who is signed in, and to which server. */
import { Stack, Text, Title } from '@mantine/core'
import { useMe } from '../../access/me.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Section } from '../../parts/section.tsx'
import { usePageTitle } from '../../parts/use-page-title.ts'
import { environment } from '../../session/environment.ts'
import { useTexts } from '../../texts/index.tsx'
import { homeTexts } from './texts/index.ts'

/** The page. */
export function HomePage() {
  const t = useTexts(homeTexts)
  const { displayName } = useMe()
  const { issuer, version } = environment()
  usePageTitle(t.title)
  return (
    <Stack>
      <Title order={1}>{t.welcome(displayName)}</Title>
      <Section title="Signet">
        <CopyField label={t.address} value={issuer} />
        <Text size="sm" c="dimmed">
          {t.version} {version}
        </Text>
      </Section>
    </Stack>
  )
}
