/** The list of all administrators that the user can read. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Administrator } from '../../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import { InternalPermissionService } from '../../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { Icon } from '../../parts/icons.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { useListState } from '../../parts/list-search.ts'
import { rowsAt } from '../../parts/rows-at.ts'
import { useTexts } from '../../texts/index.tsx'
import { ADMINISTRATOR_LIST } from './list-spec.ts'
import { type AdministratorFilter, memberColumns, memberKey, nameContains, SORTS } from './member-columns.tsx'
import { INSTANCE, placeName, placeOf, placeParam, resourceAt } from './place.ts'
import { administratorTexts } from './texts/index.ts'

function whereFilter(where: 'instance' | 'other'): AdministratorFilter {
  const onInstance: AdministratorFilter = { filter: { case: 'resource', value: resourceAt(INSTANCE) } }
  return where === 'instance' ? onInstance : { filter: { case: 'not', value: { query: onInstance } } }
}

/** The page. */
export function AdministratorListPage() {
  const t = useTexts(administratorTexts)
  const state = useListState(ADMINISTRATOR_LIST)
  const { can } = usePermissions()
  const { where, role } = state.filters
  const found = useQuery(
    InternalPermissionService.method.listAdministrators,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      filters: [
        ...(state.q ? [nameContains(state.q)] : []),
        ...(where ? [whereFilter(where)] : []),
        ...(role ? [{ filter: { case: 'role', value: { roleKey: role } } } as const] : []),
      ],
    },
    { placeholderData: keepPreviousData },
  )
  const whereColumn = {
    key: 'where',
    header: t.where,
    cell: (administrator: Administrator) => <Where administrator={administrator} />,
  }
  return (
    <ListPage
      title={t.title}
      description={t.description}
      actions={
        can('iam.member.write') && (
          <Button
            component={Link}
            to="/administrators/$place/add"
            params={{ place: placeParam(INSTANCE) } as never}
            leftSection={<Icon name="plus" size={16} />}
          >
            {t.add}
          </Button>
        )
      }
      state={state}
      searchLabel={t.searchLabel}
      filters={[
        {
          name: 'where',
          label: t.where,
          options: ADMINISTRATOR_LIST.filters.where.map((value) => ({ value, label: t.wheres[value] })),
        },
        {
          name: 'role',
          label: t.role,
          options: ADMINISTRATOR_LIST.filters.role.map((value) => ({ value, label: t.roleTexts[value]?.[0] ?? value })),
        },
      ]}
      columns={memberColumns(t, [whereColumn])}
      list={rowsAt(found, ({ administrators }) => administrators)}
      keyOf={memberKey}
      empty={<Text>{t.empty}</Text>}
    />
  )
}

function Where({ administrator }: { readonly administrator: Administrator }) {
  const t = useTexts(administratorTexts)
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {t.placeLabel[placeOf(administrator).level](placeName(administrator))}
    </Text>
  )
}
