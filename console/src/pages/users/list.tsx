/** The list of users and machines. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type LastSignIn, SignInService } from '../../../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { UserFieldName } from '../../../../contract/gen/signet/user/v2/query_pb.ts'
import { Type, type User } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useOrganization, useTargetOrganization } from '../../access/organization.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { ExportButton } from './export/export-button.tsx'
import { importTexts } from './import/texts/index.ts'
import { anyNameContains } from './search-query.ts'
import type { UserTexts } from './texts/en.ts'
import { userTexts } from './texts/index.ts'
import { USER_LIST } from './user-list-spec.ts'
import { contactOf, displayNameOf } from './user-names.ts'
import { STATES, UserStateBadge } from './user-state.tsx'

const SORTS = {
  name: UserFieldName.DISPLAY_NAME,
  userName: UserFieldName.USER_NAME,
  email: UserFieldName.EMAIL,
  created: UserFieldName.CREATION_DATE,
} as const

const TYPES = { human: Type.HUMAN, machine: Type.MACHINE } as const

/** When each of the shown users signed in last; undefined for a user who may not know it. */
function useLastSignIns(users: readonly User[] | undefined): ReadonlyMap<string, LastSignIn> | undefined {
  const { canSomewhere } = usePermissions()
  const userIds = users?.map(({ userId }) => userId) ?? []
  const mayRead = canSomewhere('session.read')
  const { data } = useQuery(
    SignInService.method.listLastSignIns,
    { userIds },
    { enabled: mayRead && userIds.length > 0, placeholderData: keepPreviousData },
  )
  return mayRead ? new Map(data?.signIns.map((one) => [one.userId, one])) : undefined
}

type LastSignIns = ReturnType<typeof useLastSignIns>

function columnsOf(t: UserTexts, last: LastSignIns): [Column<User>, ...Column<User>[]] {
  return [
    { key: 'name', header: t.name, sort: 'name', cell: (user) => <UserLink user={user} /> },
    {
      key: 'userName',
      header: t.userName,
      sort: 'userName',
      cell: ({ username }) => <Text size="sm">{username}</Text>,
    },
    { key: 'email', header: t.email, sort: 'email', cell: (user) => <Email user={user} /> },
    { key: 'state', header: t.state, cell: (user) => <UserStateBadge user={user} /> },
    ...(last === undefined
      ? []
      : [
          {
            key: 'last',
            header: t.lastSignIn,
            cell: ({ userId }: User) => <LastSignInLink last={last.get(userId)} />,
          },
        ]),
    {
      key: 'created',
      header: t.created,
      sort: 'created',
      cell: ({ details }) => <When time={details?.creationDate} />,
    },
  ]
}

/** The page. */
export function UserListPage() {
  const t = useTexts(userTexts)
  const state = useListState(USER_LIST)
  const { organizationId } = useOrganization()
  const { can } = usePermissions()
  const place = { organizationId: useTargetOrganization() }
  const [mayWrite, mayRemove] = [can('user.write', place), can('user.delete', place)]
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const { state: shownState, type } = state.filters
  const queries = [
    ...(state.q ? [anyNameContains(state.q)] : []),
    ...(organizationId ? [{ query: { case: 'organizationIdQuery', value: { organizationId } } } as const] : []),
    ...(shownState ? [{ query: { case: 'stateQuery', value: { state: STATES[shownState] } } } as const] : []),
    ...(type ? [{ query: { case: 'typeQuery', value: { type: TYPES[type] } } } as const] : []),
  ]
  const users = useQuery(
    UserService.method.listUsers,
    {
      query: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      queries,
    },
    { placeholderData: keepPreviousData },
  )
  const last = useLastSignIns(users.data?.result)
  const list = rowsOf(users)
  // Only what can be seen is chosen: another page, search or filter starts anew.
  const selected = (list.rows ?? []).filter(({ userId }) => chosen.has(userId))
  return (
    <ListPage
      title={t.title}
      description={t.description}
      actions={
        <>
          <ExportButton queries={queries} />
          <CreateButtons />
        </>
      }
      state={state}
      searchLabel={t.searchLabel}
      filters={[
        {
          name: 'state',
          label: t.state,
          options: USER_LIST.filters.state.map((value) => ({ value, label: t.states[value] })),
        },
        {
          name: 'type',
          label: t.type,
          options: USER_LIST.filters.type.map((value) => ({ value, label: t.types[value] })),
        },
      ]}
      columns={columnsOf(t, last)}
      list={list}
      keyOf={({ userId }) => userId}
      selection={
        mayWrite || mayRemove
          ? { chosen: new Set(selected.map(({ userId }) => userId)), choose, nameOf: displayNameOf }
          : undefined
      }
      bulk={<BulkActions chosen={selected} mayWrite={mayWrite} mayRemove={mayRemove} onDone={choose} />}
      empty={<Text>{t.empty}</Text>}
    />
  )
}

function CreateButtons() {
  const t = useTexts(userTexts)
  const more = useTexts(importTexts)
  const { can } = usePermissions()
  const organizationId = useTargetOrganization()
  if (!can('user.write', { organizationId })) return null
  return (
    <>
      <Button component={Link} to="/users/import" variant="default">
        {more.title}
      </Button>
      <Button component={Link} to="/users/invite" variant="default" leftSection={<Icon name="mail" size={16} />}>
        {more.invite.title}
      </Button>
      <Button
        component={Link}
        to="/users/new-machine"
        variant="default"
        leftSection={<Icon name="machine" size={16} />}
      >
        {t.createMachine}
      </Button>
      <Button component={Link} to="/users/new" leftSection={<Icon name="plus" size={16} />}>
        {t.createHuman}
      </Button>
    </>
  )
}

function UserLink({ user }: { readonly user: User }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Icon name={user.type.case === 'machine' ? 'machine' : 'person'} />
      <Anchor component={Link} to="/users/$userId" params={{ userId: user.userId } as never} size="sm" fw={500}>
        {displayNameOf(user)}
      </Anchor>
    </Group>
  )
}

function LastSignInLink({ last }: { readonly last: LastSignIn | undefined }) {
  if (last === undefined) return <When time={undefined} />
  return (
    <Anchor component={Link} to="/audit/sign-ins/$signInId" params={{ signInId: last.signInId } as never} size="sm">
      <When time={last.date} />
    </Anchor>
  )
}

function Email({ user }: { readonly user: User }) {
  return <Text size="sm">{user.type.case === 'human' ? contactOf(user) : '–'}</Text>
}
