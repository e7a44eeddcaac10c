/** What lists of administrators have in common: the query, the columns, and the button that adds one. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TextFilterMethod } from '../../../../contract/gen/signet/filter/v2/filter_pb.ts'
import {
  type Administrator,
  AdministratorFieldName,
  type AdministratorSearchFilterSchema,
} from '../../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import { InternalPermissionService } from '../../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { Icon } from '../../parts/icons.tsx'
import type { Column } from '../../parts/list-page.tsx'
import type { ListState } from '../../parts/list-search.ts'
import type { Rows } from '../../parts/rows.ts'
import { rowsAt } from '../../parts/rows-at.ts'
import { When } from '../../parts/when.tsx'
import { type MemberPlace, placeOf, placeParam } from './place.ts'
import { RoleNames } from './roles-field.tsx'
import type { AdministratorTexts } from './texts/en.ts'

export type AdministratorFilter = MessageInitShape<typeof AdministratorSearchFilterSchema>

const SORTS = {
  created: AdministratorFieldName.CREATION_DATE,
  changed: AdministratorFieldName.CHANGE_DATE,
} as const

/** Administrators whose name or login name contains the text. */
function nameContains(text: string): AdministratorFilter {
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE
  const queries: AdministratorFilter[] = [
    { filter: { case: 'userDisplayName', value: { displayName: text, method } } },
    { filter: { case: 'userPreferredLoginName', value: { preferredLoginName: text, method } } },
  ]
  return { filter: { case: 'or', value: { queries } } }
}

/** The administrators that the list shows: those that match the filters and the search text. */
export function useAdministrators(
  state: ListState & { readonly sort: keyof typeof SORTS },
  filters: readonly AdministratorFilter[],
): Rows<Administrator> {
  const found = useQuery(
    InternalPermissionService.method.listAdministrators,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      filters: [...filters, ...(state.q ? [nameContains(state.q)] : [])],
    },
    { placeholderData: keepPreviousData },
  )
  return rowsAt(found, ({ administrators }) => administrators)
}

/** Leads to the form that gives roles in a place. */
export function AddMemberButton({ place, label }: { readonly place: MemberPlace; readonly label: string }) {
  return (
    <Button
      component={Link}
      to="/administrators/$place/add"
      params={{ place: placeParam(place) } as never}
      leftSection={<Icon name="plus" size={16} />}
    >
      {label}
    </Button>
  )
}

/** What administrators are called. */
export function nameOf({ user }: Administrator): string {
  return user?.displayName || user?.preferredLoginName || user?.id || ''
}

function AdministratorLink({ administrator }: { readonly administrator: Administrator }) {
  const params = { place: placeParam(placeOf(administrator)), userId: administrator.user?.id ?? '' }
  return (
    <>
      <Anchor component={Link} to="/administrators/$place/$userId" params={params as never} size="sm" fw={500}>
        {nameOf(administrator)}
      </Anchor>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {administrator.user?.preferredLoginName}
      </Text>
    </>
  )
}

/** The columns; `more` stand after the name. */
export function memberColumns(
  t: AdministratorTexts,
  more: readonly Column<Administrator>[] = [],
): [Column<Administrator>, ...Column<Administrator>[]] {
  return [
    { key: 'name', header: t.name, cell: (administrator) => <AdministratorLink administrator={administrator} /> },
    ...more,
    { key: 'roles', header: t.roles, cell: ({ roles }) => <RoleNames roles={roles} /> },
    { key: 'created', header: t.added, sort: 'created', cell: ({ creationDate }) => <When time={creationDate} /> },
    { key: 'changed', header: t.changed, sort: 'changed', cell: ({ changeDate }) => <When time={changeDate} /> },
  ]
}

/** The key of a row: a user can hold roles in several places. */
export function memberKey(administrator: Administrator): string {
  return `${placeParam(placeOf(administrator))} ${administrator.user?.id}`
}
