/** The list of all administrators that the user can read. */

import { Text } from '@mantine/core'
import type { Administrator } from '../../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import { say } from '../../../../src/kernel/sentences.ts'
import { usePermissions } from '../../access/me.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { useListState } from '../../parts/use-list-state.ts'
import { textAt, useTexts } from '../../texts/index.tsx'
import { ADMINISTRATOR_LIST } from './list-spec.ts'
import {
  AddMemberButton,
  type AdministratorFilter,
  memberColumns,
  memberKey,
  useAdministrators,
} from './member-columns.tsx'
import { INSTANCE, placeName, placeOf, resourceAt } from './place.ts'
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
  const list = useAdministrators(state, [
    ...(where ? [whereFilter(where)] : []),
    ...(role ? [{ filter: { case: 'role', value: { roleKey: role } } } as const] : []),
  ])
  const whereColumn = {
    key: 'where',
    header: t.where,
    cell: (administrator: Administrator) => <Where administrator={administrator} />,
  }
  return (
    <ListPage
      title={t.title}
      description={t.description}
      actions={can('iam.member.write') && <AddMemberButton place={INSTANCE} label={t.add} />}
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
          options: ADMINISTRATOR_LIST.filters.role.map((value) => ({
            value,
            label: textAt(t.roleTexts, value)?.[0] ?? value,
          })),
        },
      ]}
      columns={memberColumns(t, [whereColumn])}
      list={list}
      keyOf={memberKey}
      empty={<Text>{t.empty}</Text>}
    />
  )
}

function Where({ administrator }: { readonly administrator: Administrator }) {
  const t = useTexts(administratorTexts)
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {say(t.placeLabel[placeOf(administrator).level], { name: placeName(administrator) })}
    </Text>
  )
}
