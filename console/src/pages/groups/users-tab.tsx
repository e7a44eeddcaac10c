/** The users of a group. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Text } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Group, GroupUser } from '../../../../contract/gen/signet/group/v2/group_pb.ts'
import { GroupService } from '../../../../contract/gen/signet/group/v2/group_service_pb.ts'
import { GroupUserFieldName } from '../../../../contract/gen/signet/group/v2/query_pb.ts'
import { ConfirmRemove } from '../../parts/confirm-remove.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListSection } from '../../parts/list-page.tsx'
import { RowButton } from '../../parts/row-button.tsx'
import { rowsAt } from '../../parts/rows-at.ts'
import { partsTexts } from '../../parts/texts/index.ts'
import { useAction } from '../../parts/use-action.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { useServerForm } from '../../parts/use-server-form.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { UserSelect } from '../administrators/user-select.tsx'
import { GROUP_USER_LIST } from './list-spec.ts'
import { groupTexts } from './texts/index.ts'

const { listGroupUsers, addUsersToGroup, removeUsersFromGroup } = GroupService.method

interface UsersTabProps {
  readonly group: Group
  readonly mayAdd: boolean
  readonly mayRemove: boolean
}

function nameOf({ user }: GroupUser): string {
  return user?.displayName || user?.preferredLoginName || user?.id || ''
}

/** The tab. */
export function UsersTab({ group, mayAdd, mayRemove }: UsersTabProps) {
  const t = useTexts(groupTexts)
  const state = useListState(GROUP_USER_LIST)
  const [isAdding, { open, close }] = useDisclosure()
  const found = useQuery(
    listGroupUsers,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: GroupUserFieldName.CREATION_DATE,
      filters: [{ filter: { case: 'groupIds', value: { ids: [group.id] } } }],
    },
    { placeholderData: keepPreviousData },
  )
  const columns: [Column<GroupUser>, ...Column<GroupUser>[]] = [
    { key: 'user', header: t.users.user, cell: (one) => <MemberLink member={one} /> },
    {
      key: 'joined',
      header: t.users.joined,
      sort: 'joined',
      cell: ({ creationDate }) => <When time={creationDate} />,
    },
  ]
  if (mayRemove) {
    columns.push({ key: 'actions', header: t.users.actions, cell: (one) => <RemoveMember member={one} /> })
  }
  return (
    <>
      <ListSection
        title={t.tabs.users}
        description={t.users.hint}
        actions={
          mayAdd && (
            <Button onClick={open} leftSection={<Icon name="plus" size={16} />}>
              {t.users.add}
            </Button>
          )
        }
        state={state}
        columns={columns}
        list={rowsAt(found, ({ groupUsers }) => groupUsers)}
        keyOf={({ user }) => user?.id ?? ''}
        empty={<Text>{t.users.empty}</Text>}
      />
      {isAdding && <AddMember groupId={group.id} onClose={close} />}
    </>
  )
}

function MemberLink({ member }: { readonly member: GroupUser }) {
  const params = { userId: member.user?.id ?? '' }
  return (
    <>
      <Anchor component={Link} to="/users/$userId" params={params as never} size="sm" fw={500}>
        {nameOf(member)}
      </Anchor>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {member.user?.preferredLoginName}
      </Text>
    </>
  )
}

function RemoveMember({ member }: { readonly member: GroupUser }) {
  const { users: t } = useTexts(groupTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(removeUsersFromGroup, { done: t.removeDone, changes: [listGroupUsers] })
  const userIds = [member.user?.id ?? '']
  return (
    <>
      <RowButton label={t.remove} of={nameOf(member)} onClick={open} />
      <ConfirmRemove
        name={nameOf(member)}
        isOpen={isOpen}
        onClose={close}
        consequence={t.removeHint}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ id: member.groupId, userIds })}
      />
    </>
  )
}

function AddMember({ groupId, onClose }: { readonly groupId: string; onClose(): void }) {
  const { users: t } = useTexts(groupTexts)
  const { required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: { userId: '' },
    validate: { userId: isNotEmpty(required) },
    paths: { userId: 'userIds' },
    refusals: { 'group.user_not_found': 'userId' },
  })
  const add = useAction(addUsersToGroup, {
    done: t.addDone,
    changes: [listGroupUsers],
    onError: showError,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t.add}
      submitLabel={t.add}
      problems={problems}
      isRunning={add.isRunning}
      onClose={onClose}
      onSubmit={form.onSubmit(({ userId }) => add.run({ id: groupId, userIds: [userId] }))}
    >
      <UserSelect
        value={form.values.userId}
        onChange={(userId) => form.setFieldValue('userId', userId)}
        error={form.errors.userId}
        description={t.addHint}
      />
    </FormDialog>
  )
}
