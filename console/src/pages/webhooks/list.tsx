/** The list of webhooks: of the organization in the header, or of all. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Webhook } from '../../../../contract/gen/signet/webhook/v1/webhook_pb.ts'
import { WebhookService } from '../../../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useOrganization } from '../../access/organization.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { localRows } from '../../parts/local-rows.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { WEBHOOK_LIST } from './list-spec.ts'
import { WebhookBadge } from './state.tsx'
import type { WebhookTexts } from './texts/en.ts'
import { webhookTexts } from './texts/index.ts'

function columnsOf(t: WebhookTexts): [Column<Webhook>, ...Column<Webhook>[]] {
  return [
    {
      key: 'name',
      header: t.name,
      sort: 'name',
      cell: ({ id, name }) => (
        <Anchor component={Link} to="/webhooks/$webhookId" params={{ webhookId: id } as never} size="sm" fw={500}>
          {name}
        </Anchor>
      ),
    },
    {
      key: 'endpoint',
      header: t.endpoint,
      sort: 'endpoint',
      cell: ({ endpoint }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {endpoint}
        </Text>
      ),
    },
    { key: 'state', header: t.state, cell: (webhook) => <WebhookBadge webhook={webhook} /> },
    { key: 'delivered', header: t.lastDelivery, cell: ({ queue }) => <When time={queue?.lastDeliveryDate} /> },
  ]
}

/** The page. */
export function WebhookListPage() {
  const t = useTexts(webhookTexts)
  const { canSomewhere } = usePermissions()
  const { organizationId = '' } = useOrganization()
  const state = useListState(WEBHOOK_LIST)
  const request = { organizationId, pagination: { limit: 1000 } }
  const { data, error, refetch } = useQuery(WebhookService.method.listWebhooks, request)
  const list = localRows<Webhook>(
    {
      rows: data?.webhooks,
      error,
      refetch,
      textOf: ({ name, endpoint, id }) => `${name} ${endpoint} ${id}`,
      sorts: { name: ({ name }) => name, endpoint: ({ endpoint }) => endpoint },
      filters: {},
    },
    state,
  )
  return (
    <ListPage
      title={t.title}
      description={t.lead}
      actions={
        canSomewhere('webhook.write') && (
          <Button component={Link} to="/webhooks/new" leftSection={<Icon name="plus" size={16} />}>
            {t.create}
          </Button>
        )
      }
      state={state}
      searchLabel={t.search}
      filters={[]}
      columns={columnsOf(t)}
      list={list}
      keyOf={({ id }) => id}
      empty={<Text>{t.empty}</Text>}
    />
  )
}
