/** The list of organizations. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TextQueryMethod } from '../../../../contract/gen/signet/object/v2/object_pb.ts'
import type { Organization } from '../../../../contract/gen/signet/org/v2/org_pb.ts'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { OrganizationFieldName } from '../../../../contract/gen/signet/org/v2/query_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { ORGANIZATION_LIST } from './list-spec.ts'
import { OrganizationStateBadge, STATES } from './organization-state.tsx'
import type { OrganizationTexts } from './texts/en.ts'
import { organizationTexts } from './texts/index.ts'

const SORTS = { name: OrganizationFieldName.NAME, created: OrganizationFieldName.CREATION_DATE } as const

function columnsOf(t: OrganizationTexts): [Column<Organization>, ...Column<Organization>[]] {
  return [
    { key: 'name', header: t.name, sort: 'name', cell: (one) => <OrganizationLink organization={one} /> },
    { key: 'domain', header: t.domain, cell: ({ primaryDomain }) => <Text size="sm">{primaryDomain || '–'}</Text> },
    { key: 'state', header: t.state, cell: ({ state }) => <OrganizationStateBadge state={state} /> },
    { key: 'created', header: t.created, sort: 'created', cell: (one) => <When time={one.details?.creationDate} /> },
  ]
}

/** The page. */
export function OrganizationListPage() {
  const t = useTexts(organizationTexts)
  const state = useListState(ORGANIZATION_LIST)
  const { can } = usePermissions()
  const shownState = state.filters.state
  const method = TextQueryMethod.CONTAINS_IGNORE_CASE
  const found = useQuery(
    OrganizationService.method.listOrganizations,
    {
      query: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      queries: [
        ...(state.q ? [{ query: { case: 'nameQuery', value: { name: state.q, method } } } as const] : []),
        ...(shownState ? [{ query: { case: 'stateQuery', value: { state: STATES[shownState] } } } as const] : []),
      ],
    },
    { placeholderData: keepPreviousData },
  )
  return (
    <ListPage
      title={t.title}
      description={t.description}
      actions={
        can('org.write') && (
          <Button component={Link} to="/organizations/new" leftSection={<Icon name="plus" size={16} />}>
            {t.create}
          </Button>
        )
      }
      state={state}
      searchLabel={t.searchLabel}
      filters={[
        {
          name: 'state',
          label: t.state,
          options: ORGANIZATION_LIST.filters.state.map((value) => ({ value, label: t.states[value] })),
        },
      ]}
      columns={columnsOf(t)}
      list={rowsOf(found)}
      keyOf={({ id }) => id}
      empty={<Text>{t.empty}</Text>}
    />
  )
}

function OrganizationLink({ organization: { id, name } }: { readonly organization: Organization }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Icon name="organization" />
      <Anchor
        component={Link}
        to="/organizations/$organizationId"
        params={{ organizationId: id } as never}
        size="sm"
        fw={500}
      >
        {name}
      </Anchor>
    </Group>
  )
}
