/** The groups that a user is in. */
import { useQuery } from '@connectrpc/connect-query'
import { GroupService } from '../../../../../contract/gen/signet/group/v2/group_service_pb.ts'
import { ItemList } from '../../../parts/item-list.tsx'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { When } from '../../../parts/when.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { GroupLink } from '../../groups/list.tsx'
import { accessTexts } from './texts/index.ts'

const { listGroupUsers, listGroups, removeUsersFromGroup } = GroupService.method

/** As many as a user can have. */
const MOST_GROUPS = 1000

interface GroupsTabProps {
  readonly userId: string
  readonly mayRemove: boolean
}

/** The tab. */
export function GroupsTab({ userId, mayRemove }: GroupsTabProps) {
  const t = useTexts(accessTexts)
  const pagination = { limit: MOST_GROUPS, asc: true }
  const joined = useQuery(listGroupUsers, {
    pagination,
    filters: [{ filter: { case: 'userIds', value: { ids: [userId] } } }],
  })
  const ids = joined.data?.groupUsers.map(({ groupId }) => groupId) ?? []
  const named = useQuery(
    listGroups,
    { pagination, filters: [{ filter: { case: 'groupIds', value: { ids } } }] },
    { enabled: ids.length > 0 },
  )
  const nameOf = (id: string) => named.data?.groups.find((group) => group.id === id)?.name || id
  const remove = useAction(removeUsersFromGroup, { done: t.groups.removed, changes: [listGroupUsers] })
  const { data, error, refetch } = joined
  return (
    <Section title={t.tabs.groups} description={t.groups.hint}>
      <ItemList
        label={t.tabs.groups}
        list={{ rows: data?.groupUsers, error, refetch }}
        keyOf={({ groupId }) => groupId}
        textOf={({ groupId }) => nameOf(groupId)}
        empty={t.groups.empty}
        columns={[
          {
            key: 'group',
            header: t.groups.group,
            cell: ({ groupId }) => <GroupLink id={groupId} name={nameOf(groupId)} />,
          },
          { key: 'joined', header: t.groups.joined, cell: ({ creationDate }) => <When time={creationDate} /> },
        ]}
        actions={({ groupId }) =>
          mayRemove && (
            <RemoveButton
              name={nameOf(groupId)}
              consequence={t.groups.consequence}
              isRunning={remove.isRunning}
              onConfirm={() => remove.run({ id: groupId, userIds: [userId] })}
            />
          )
        }
      />
    </Section>
  )
}
