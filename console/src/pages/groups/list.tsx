/** The list of groups of the chosen organization. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TextFilterMethod } from '../../../../contract/gen/signet/filter/v2/filter_pb.ts'
import type { Group } from '../../../../contract/gen/signet/group/v2/group_pb.ts'
import { GroupService } from '../../../../contract/gen/signet/group/v2/group_service_pb.ts'
import { FieldName } from '../../../../contract/gen/signet/group/v2/query_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useOrganization, useTargetOrganization } from '../../access/organization.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { rowsAt } from '../../parts/rows-at.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { GROUP_LIST } from './list-spec.ts'
import type { GroupTexts } from './texts/en.ts'
import { groupTexts } from './texts/index.ts'

const SORTS = {
  name: FieldName.NAME,
  created: FieldName.CREATION_DATE,
  changed: FieldName.CHANGE_DATE,
} as const

function columnsOf(t: GroupTexts): [Column<Group>, ...Column<Group>[]] {
  return [
    { key: 'name', header: t.name, sort: 'name', cell: (group) => <GroupLink {...group} /> },
    {
      key: 'description',
      header: t.description,
      cell: ({ description }) => <Text size="sm">{description || '–'}</Text>,
    },
    { key: 'created', header: t.created, sort: 'created', cell: ({ creationDate }) => <When time={creationDate} /> },
    { key: 'changed', header: t.changed, sort: 'changed', cell: ({ changeDate }) => <When time={changeDate} /> },
  ]
}

/** The page. */
export function GroupListPage() {
  const t = useTexts(groupTexts)
  const state = useListState(GROUP_LIST)
  const { organizationId } = useOrganization()
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE
  const found = useQuery(
    GroupService.method.listGroups,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      filters: [
        ...(state.q ? [{ filter: { case: 'nameFilter', value: { name: state.q, method } } } as const] : []),
        ...(organizationId ? [{ filter: { case: 'organizationId', value: { id: organizationId } } } as const] : []),
      ],
    },
    { placeholderData: keepPreviousData },
  )
  return (
    <ListPage
      title={t.title}
      description={t.hint}
      actions={<CreateButton />}
      state={state}
      searchLabel={t.name}
      columns={columnsOf(t)}
      list={rowsAt(found, ({ groups }) => groups)}
      keyOf={({ id }) => id}
      empty={<Text>{t.empty}</Text>}
    />
  )
}

function CreateButton() {
  const t = useTexts(groupTexts)
  const { can } = usePermissions()
  const organizationId = useTargetOrganization()
  if (!can('group.create', { organizationId })) return null
  return (
    <Button component={Link} to="/groups/new" leftSection={<Icon name="plus" size={16} />}>
      {t.create}
    </Button>
  )
}

/** The name of a group, which leads to its page. */
export function GroupLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Anchor component={Link} to="/groups/$groupId" params={{ groupId: id } as never} size="sm" fw={500}>
      {name || id}
    </Anchor>
  )
}
