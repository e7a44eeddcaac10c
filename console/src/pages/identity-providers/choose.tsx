/** Chooses the kind of a new identity provider. */
import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../parts/use-page-title.ts'
import { useTexts } from '../../texts/index.tsx'
import { ProviderLogo } from './logo.tsx'
import { SPECS, TEMPLATES } from './templates.ts'
import { providerTexts } from './texts/index.ts'

/** The page. */
export function ChooseProviderPage() {
  const t = useTexts(providerTexts)
  usePageTitle(t.create)
  return (
    <Stack gap="md">
      <Anchor component={Link} to="/identity-providers" size="sm" w="fit-content">
        ← {t.title}
      </Anchor>
      <Title order={1}>{t.create}</Title>
      <Text c="dimmed">{t.chooseHint}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {TEMPLATES.map((template) => (
          <Paper key={template} withBorder p="md" component="li">
            <Group gap="sm" wrap="nowrap" align="flex-start">
              <ProviderLogo template={template} size={36} />
              <div>
                <Anchor component={Link} to="/identity-providers/new/$template" params={{ template } as never} fw={500}>
                  {SPECS[template].name}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {t.templates[template]}
                </Text>
              </div>
            </Group>
          </Paper>
        ))}
      </SimpleGrid>
    </Stack>
  )
}
