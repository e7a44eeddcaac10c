/** The list of SMS providers. */
import { useQuery } from '@connectrpc/connect-query'
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { SMSProvider } from '../../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { localRows } from '../../parts/local-rows.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { PROVIDER_LIST } from './provider-list-spec.ts'
import { endpointOf, isActive, nameOf, ProviderState } from './provider-state.tsx'
import type { SmsTexts } from './texts/en.ts'
import { smsTexts } from './texts/index.ts'

function columnsOf(t: SmsTexts): [Column<SMSProvider>, ...Column<SMSProvider>[]] {
  return [
    {
      key: 'description',
      header: t.description,
      sort: 'description',
      cell: (provider) => (
        <Anchor component={Link} to="/sms/$providerId" params={{ providerId: provider.id } as never} size="sm" fw={500}>
          {nameOf(provider)}
        </Anchor>
      ),
    },
    {
      key: 'endpoint',
      header: t.endpoint,
      sort: 'endpoint',
      cell: (provider) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {endpointOf(provider)}
        </Text>
      ),
    },
    { key: 'state', header: t.state, cell: (provider) => <ProviderState provider={provider} /> },
    { key: 'changed', header: t.changed, cell: ({ details }) => <When time={details?.changeDate} /> },
  ]
}

/** The page. */
export function SmsProviderListPage() {
  const t = useTexts(smsTexts)
  const { can } = usePermissions()
  const state = useListState(PROVIDER_LIST)
  const { data, error, refetch } = useQuery(AdminService.method.listSMSProviders, { query: { limit: 1000 } })
  const list = localRows<SMSProvider>(
    {
      rows: data?.result,
      error,
      refetch,
      textOf: (provider) => `${provider.description} ${endpointOf(provider)} ${provider.id}`,
      sorts: { description: nameOf, endpoint: endpointOf },
      filters: { state: (provider) => (isActive(provider) ? 'active' : 'inactive') },
    },
    state,
  )
  return (
    <Stack>
      {data !== undefined && !data.result.some(isActive) && (
        <Alert color="yellow" icon={<Icon name="warning" />}>
          {t.noneActive}
        </Alert>
      )}
      <ListPage
        title={t.title}
        description={t.lead}
        actions={
          can('iam.write') && (
            <Button component={Link} to="/sms/new" leftSection={<Icon name="plus" size={16} />}>
              {t.create}
            </Button>
          )
        }
        state={state}
        searchLabel={t.search}
        filters={[
          {
            name: 'state',
            label: t.state,
            options: [
              { value: 'active', label: t.active },
              { value: 'inactive', label: t.inactive },
            ],
          },
        ]}
        columns={columnsOf(t)}
        list={list}
        keyOf={({ id }) => id}
        empty={<Text>{t.empty}</Text>}
      />
    </Stack>
  )
}
