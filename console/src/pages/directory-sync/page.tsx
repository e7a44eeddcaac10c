/** Directory sync of the chosen organization: what a directory is configured with, and what it does. */
import { useQuery } from '@connectrpc/connect-query'
import { SimpleGrid, Text } from '@mantine/core'
import { DirectorySyncService } from '../../../../contract/gen/signet/directory_sync/v1/directory_sync_service_pb.ts'
import { useTargetOrganization } from '../../access/organization.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { FigureCard } from '../../parts/figure-card.tsx'
import { Reading } from '../../parts/reading.tsx'
import { Section } from '../../parts/section.tsx'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { ConnectSection } from './connect.tsx'
import { MappingSection } from './mapping.tsx'
import { RequestsSection } from './requests.tsx'
import { directorySyncTexts } from './texts/index.ts'
import { TokensSection } from './tokens.tsx'

/** How often the page looks for new requests. */
const REFRESH_MS = 4_000

export function DirectorySyncPage() {
  const t = useTexts(directorySyncTexts)
  const organizationId = useTargetOrganization()
  const query = useQuery(
    DirectorySyncService.method.getDirectorySync,
    { organizationId },
    { refetchInterval: REFRESH_MS },
  )
  return (
    <AreaPage title={t.title} description={t.lead}>
      <Reading query={query}>
        {({ organizationName, address, tokens, users, groups, lastRequestDate, requests }) => (
          <>
            <SimpleGrid cols={{ base: 1, sm: 2 }} component="dl" m={0} maw={720}>
              <FigureCard label={t.users} value={users} icon="users" />
              <FigureCard label={t.groups} value={groups} icon="groups" />
            </SimpleGrid>
            <Section title={t.address} description={t.addressHint({ organization: organizationName })}>
              <CopyField label={t.baseUrl} value={address} />
              <Text size="sm" component="div">
                {t.lastRequest}: <When time={lastRequestDate} />
              </Text>
            </Section>
            <TokensSection organizationId={organizationId} tokens={tokens} />
            <ConnectSection />
            <RequestsSection requests={requests} />
            <MappingSection />
          </>
        )}
      </Reading>
    </AreaPage>
  )
}
