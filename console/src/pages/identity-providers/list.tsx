/** The list of identity providers: those of the chosen organization, and those of the instance. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IDPOwnerType, IDPState, type Provider } from '../../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { TextQueryMethod } from '../../../../contract/gen/signet/v1/object_pb.ts'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { PROVIDER_LIST } from './list-spec.ts'
import { ProviderLogo } from './logo.tsx'
import { ownerOf, useProviderPermissions } from './owner.ts'
import { SPECS, templateOf } from './templates.ts'
import type { ProviderTexts } from './texts/en.ts'
import { providerTexts } from './texts/index.ts'

const OWNERS = { instance: IDPOwnerType.IDP_OWNER_TYPE_SYSTEM, organization: IDPOwnerType.IDP_OWNER_TYPE_ORG } as const

function columnsOf(t: ProviderTexts): [Column<Provider>, ...Column<Provider>[]] {
  return [
    { key: 'name', header: t.name, cell: (provider) => <ProviderLink provider={provider} /> },
    { key: 'kind', header: t.kind, cell: ({ type }) => <Text size="sm">{SPECS[templateOf(type)].name}</Text> },
    { key: 'owner', header: t.owner, cell: (one) => <Text size="sm">{t.owners[ownerOf(one)]}</Text> },
    { key: 'state', header: t.state, cell: (provider) => <ProviderState provider={provider} /> },
    { key: 'created', header: t.created, sort: 'created', cell: (one) => <When time={one.details?.creationDate} /> },
  ]
}

/** The page. */
export function ProviderListPage() {
  const t = useTexts(providerTexts)
  const state = useListState(PROVIDER_LIST)
  const { mayWrite } = useProviderPermissions()
  const { owner } = state.filters
  const method = TextQueryMethod.CONTAINS_IGNORE_CASE
  const found = useQuery(
    ManagementService.method.listProviders,
    {
      query: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      queries: [
        ...(state.q ? [{ query: { case: 'idpNameQuery', value: { name: state.q, method } } } as const] : []),
        ...(owner ? [{ query: { case: 'ownerTypeQuery', value: { ownerType: OWNERS[owner] } } } as const] : []),
      ],
    },
    { placeholderData: keepPreviousData },
  )
  return (
    <ListPage
      title={t.title}
      description={t.description}
      actions={
        (mayWrite('instance') || mayWrite('organization')) && (
          <Button component={Link} to="/identity-providers/new" leftSection={<Icon name="plus" size={16} />}>
            {t.create}
          </Button>
        )
      }
      state={state}
      searchLabel={t.name}
      filters={[
        {
          name: 'owner',
          label: t.owner,
          options: PROVIDER_LIST.filters.owner.map((value) => ({ value, label: t.owners[value] })),
        },
      ]}
      columns={columnsOf(t)}
      list={rowsOf(found)}
      keyOf={({ id }) => id}
      empty={<Text>{t.empty}</Text>}
    />
  )
}

/** Whether users can sign in with the provider. */
export function ProviderState({ provider }: { readonly provider: Provider }) {
  const t = useTexts(providerTexts)
  const isActive = provider.state === IDPState.IDP_STATE_ACTIVE
  return <StateBadge mood={isActive ? 'good' : 'stopped'} label={t.states[isActive ? 'active' : 'inactive']} />
}

function ProviderLink({ provider: { id, name, type } }: { readonly provider: Provider }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <ProviderLogo template={templateOf(type)} />
      <Anchor
        component={Link}
        to="/identity-providers/$providerId"
        params={{ providerId: id } as never}
        size="sm"
        fw={500}
      >
        {name}
      </Anchor>
    </Group>
  )
}
