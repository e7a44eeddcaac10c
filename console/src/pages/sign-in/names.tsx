/** How login names are made, and where user names are unique. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useSettingsOwner } from '../../access/settings-owner.ts'
import { AreaLinks } from '../../parts/area-links.tsx'
import { AreaPage } from '../../parts/area-page.tsx'
import { Reading } from '../../parts/reading.tsx'
import { Section } from '../../parts/section.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { useOwnerSentence } from './owner-sentence.ts'
import { signInTexts } from './texts/index.ts'

const { getDomainSettings, listOrganizationSettings, setOrganizationSettings, deleteOrganizationSettings } =
  SettingsService.method

/** The page. */
export function NameSettingsPage() {
  const t = useTexts(signInTexts)
  const { organizationId } = useSettingsOwner()
  return (
    <AreaPage title={t.names.title} description={useOwnerSentence()} links={<AreaLinks area="/sign-in" />}>
      <Stack>
        <DomainCard organizationId={organizationId} />
        {organizationId === undefined ? (
          <Text size="sm" c="dimmed">
            {t.names.chooseOrganization}
          </Text>
        ) : (
          <ScopeCard organizationId={organizationId} />
        )}
      </Stack>
    </AreaPage>
  )
}

function DomainCard({ organizationId }: { readonly organizationId: string | undefined }) {
  const t = useTexts(signInTexts)
  const owner = organizationId
    ? ({ case: 'orgId', value: organizationId } as const)
    : ({ case: 'instance', value: true } as const)
  const query = useQuery(getDomainSettings, { ctx: { resourceOwner: owner } })
  return (
    <Section anchor="domains" title={t.names.domains} description={t.names.domainsHint}>
      <Reading query={{ ...query, data: query.data?.settings }}>
        {(settings) => (
          <Stack gap="sm">
            <Fact label={t.names.includesDomain} isOn={settings.loginNameIncludesDomain} />
            <Fact label={t.names.verification} isOn={settings.requireOrgDomainVerification} />
            <Fact label={t.names.sender} isOn={settings.smtpSenderAddressMatchesInstanceDomain} />
          </Stack>
        )}
      </Reading>
    </Section>
  )
}

function Fact({ label, isOn }: { readonly label: string; readonly isOn: boolean }) {
  const t = useTexts(signInTexts)
  return (
    <Group justify="space-between">
      <Text size="sm" flex="1 1 14rem">
        {label}
      </Text>
      <StateBadge mood={isOn ? 'good' : 'stopped'} label={isOn ? t.yes : t.no} />
    </Group>
  )
}

function ScopeCard({ organizationId }: { readonly organizationId: string }) {
  const t = useTexts(signInTexts)
  const { saved } = useTexts(partsTexts)
  const { can } = usePermissions()
  const query = useQuery(listOrganizationSettings, {
    filters: [{ filter: { case: 'inOrganizationIdsFilter', value: { ids: [organizationId] } } }],
  })
  const changes = [listOrganizationSettings]
  const set = useAction(setOrganizationSettings, { done: saved, changes })
  const reset = useAction(deleteOrganizationSettings, { done: t.names.resetDone, changes })
  return (
    <Section anchor="usernames" title={t.names.scope} description={t.names.scopeHint}>
      <Reading query={query}>
        {({ organizationSettings: [own] }) => (
          <Stack>
            <Checkbox
              label={t.names.scoped}
              checked={own?.organizationScopedUsernames ?? false}
              disabled={!can('iam.policy.write') || set.isRunning}
              onChange={(event) =>
                void set.run({ organizationId, organizationScopedUsernames: event.currentTarget.checked })
              }
            />
            {own !== undefined && can('iam.policy.delete') && (
              <Group justify="flex-end">
                <Button variant="default" loading={reset.isRunning} onClick={() => reset.run({ organizationId })}>
                  {t.names.reset}
                </Button>
              </Group>
            )}
          </Stack>
        )}
      </Reading>
    </Section>
  )
}
