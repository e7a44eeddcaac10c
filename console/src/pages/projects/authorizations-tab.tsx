/** The users and groups who hold roles of a project. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type Authorization,
  AuthorizationFieldName,
  State,
} from '../../../../contract/gen/signet/authorization/v2/authorization_pb.ts'
import { AuthorizationService } from '../../../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { TextFilterMethod } from '../../../../contract/gen/signet/filter/v2/filter_pb.ts'
import type { Project } from '../../../../contract/gen/signet/project/v2/project_pb.ts'
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
import { GroupLink } from '../groups/list.tsx'
import { AUTHORIZATION_LIST } from './list-spec.ts'
import { ActiveBadge } from './project-state.tsx'
import { RoleKeys, RoleKeysField } from './role-keys-field.tsx'
import { projectTexts } from './texts/index.ts'

const { listAuthorizations, createAuthorization, updateAuthorization, deleteAuthorization } =
  AuthorizationService.method
const { activateAuthorization, deactivateAuthorization } = AuthorizationService.method

const CHANGES = [listAuthorizations]

const SORTS = { created: AuthorizationFieldName.CREATED_DATE, changed: AuthorizationFieldName.CHANGED_DATE } as const

const STATES = { active: State.ACTIVE, inactive: State.INACTIVE } as const

interface AuthorizationsTabProps {
  readonly project: Project
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

function useColumns(): [Column<Authorization>, ...Column<Authorization>[]] {
  const t = useTexts(projectTexts)
  return [
    { key: 'user', header: t.authorization.user, cell: (one) => <AuthorizedUser authorization={one} /> },
    { key: 'organization', header: t.organization, cell: (one) => <Text size="sm">{one.organization?.name}</Text> },
    { key: 'roles', header: t.tabs.roles, cell: ({ roles }) => <RoleKeys keys={roles.map(({ key }) => key)} /> },
    { key: 'state', header: t.state, cell: ({ state }) => <ActiveBadge isActive={state === State.ACTIVE} /> },
    { key: 'created', header: t.created, sort: 'created', cell: ({ creationDate }) => <When time={creationDate} /> },
  ]
}

/** The tab. */
export function AuthorizationsTab({ project, mayWrite, mayRemove }: AuthorizationsTabProps) {
  const t = useTexts(projectTexts)
  const state = useListState(AUTHORIZATION_LIST)
  const [edited, setEdited] = useState<Authorization | 'new'>()
  const columns = useColumns()
  const shownState = state.filters.state
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE
  const found = useQuery(
    listAuthorizations,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      filters: [
        { filter: { case: 'projectId', value: { id: project.projectId } } },
        ...(state.q ? [{ filter: { case: 'userDisplayName', value: { displayName: state.q, method } } } as const] : []),
        ...(shownState ? [{ filter: { case: 'state', value: { state: STATES[shownState] } } } as const] : []),
      ],
    },
    { placeholderData: keepPreviousData },
  )
  if (mayWrite || mayRemove) {
    const cell = (one: Authorization) => (
      <AuthorizationActions
        authorization={one}
        mayWrite={mayWrite}
        mayRemove={mayRemove}
        onEdit={() => setEdited(one)}
      />
    )
    columns.push({ key: 'actions', header: t.actions, cell })
  }
  const close = () => setEdited(undefined)
  return (
    <>
      <ListSection
        title={t.tabs.authorizations}
        description={t.authorization.hint}
        actions={
          mayWrite && (
            <Button onClick={() => setEdited('new')} leftSection={<Icon name="plus" size={16} />}>
              {t.authorization.add}
            </Button>
          )
        }
        state={state}
        searchLabel={t.authorization.searchLabel}
        filters={[
          {
            name: 'state',
            label: t.state,
            options: AUTHORIZATION_LIST.filters.state.map((value) => ({ value, label: t.states[value] })),
          },
        ]}
        columns={columns}
        list={rowsAt(found, ({ authorizations }) => authorizations)}
        keyOf={({ id }) => id}
        empty={<Text>{t.authorization.empty}</Text>}
      />
      {edited === 'new' && <AddAuthorization project={project} onClose={close} />}
      {edited !== undefined && edited !== 'new' && <EditAuthorization authorization={edited} onClose={close} />}
    </>
  )
}

function userName({ user, group }: Authorization): string {
  if (group !== undefined) return group.name || group.id
  return user?.displayName || user?.preferredLoginName || user?.id || ''
}

function AuthorizedUser({ authorization }: { readonly authorization: Authorization }) {
  const { group } = authorization
  const { groupLabel } = useTexts(projectTexts).authorization
  if (group !== undefined) {
    return (
      <>
        <GroupLink {...group} />
        <Text size="sm" c="dimmed">
          {groupLabel}
        </Text>
      </>
    )
  }
  const params = { userId: authorization.user?.id ?? '' }
  return (
    <>
      <Anchor component={Link} to="/users/$userId" params={params as never} size="sm" fw={500}>
        {userName(authorization)}
      </Anchor>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {authorization.user?.preferredLoginName}
      </Text>
    </>
  )
}

interface AuthorizationActionsProps {
  readonly authorization: Authorization
  readonly mayWrite: boolean
  readonly mayRemove: boolean
  onEdit(): void
}

function AuthorizationActions({ authorization, mayWrite, mayRemove, onEdit }: AuthorizationActionsProps) {
  const t = useTexts(projectTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const { id } = authorization
  const named = userName(authorization)
  const isActive = authorization.state === State.ACTIVE
  const activate = useAction(activateAuthorization, { done: t.authorization.activateDone, changes: CHANGES })
  const deactivate = useAction(deactivateAuthorization, { done: t.authorization.deactivateDone, changes: CHANGES })
  const remove = useAction(deleteAuthorization, { done: t.authorization.removeDone, changes: CHANGES })
  const turn = isActive ? deactivate : activate
  return (
    <Group gap="xs">
      {mayWrite && <RowButton label={t.edit} of={named} onClick={onEdit} />}
      {mayWrite && (
        <RowButton
          label={isActive ? t.danger.deactivate : t.danger.activate}
          of={named}
          isRunning={turn.isRunning}
          onClick={() => turn.run({ id })}
        />
      )}
      {mayRemove && <RowButton label={t.remove} of={named} onClick={open} />}
      <ConfirmRemove
        name={named}
        isOpen={isOpen}
        onClose={close}
        consequence={t.authorization.removeHint}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ id })}
      />
    </Group>
  )
}

function AddAuthorization({ project, onClose }: { readonly project: Project; onClose(): void }) {
  const t = useTexts(projectTexts)
  const { required } = useTexts(partsTexts)
  const { projectId, organizationId } = project
  const { form, problems, showError } = useServerForm({
    initialValues: { userId: '', roleKeys: [] as string[] },
    validate: { userId: isNotEmpty(required) },
    paths: { userId: 'userId', roleKeys: 'roleKeys' },
    refusals: { 'authorization.exists': 'userId' },
  })
  const add = useAction(createAuthorization, {
    done: t.authorization.addDone,
    changes: CHANGES,
    onError: showError,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t.authorization.add}
      submitLabel={t.authorization.add}
      problems={problems}
      isRunning={add.isRunning}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => add.run({ projectId, organizationId, ...values }))}
    >
      <UserSelect
        value={form.values.userId}
        onChange={(userId) => form.setFieldValue('userId', userId)}
        error={form.errors.userId}
      />
      <RoleKeysField
        projectId={projectId}
        value={form.values.roleKeys}
        onChange={(keys) => form.setFieldValue('roleKeys', keys)}
        error={form.errors.roleKeys}
      />
    </FormDialog>
  )
}

function EditAuthorization({ authorization, onClose }: { readonly authorization: Authorization; onClose(): void }) {
  const t = useTexts(projectTexts)
  const { save: saveLabel, saved } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: { roleKeys: authorization.roles.map(({ key }) => key) },
    paths: { roleKeys: 'roleKeys' },
  })
  const save = useAction(updateAuthorization, { done: saved, changes: CHANGES, onError: showError, onDone: onClose })
  return (
    <FormDialog
      title={`${t.edit}: ${userName(authorization)}`}
      submitLabel={saveLabel}
      problems={problems}
      isRunning={save.isRunning}
      onClose={onClose}
      onSubmit={form.onSubmit(({ roleKeys }) => save.run({ id: authorization.id, roleKeys }))}
    >
      <RoleKeysField
        projectId={authorization.project?.id ?? ''}
        value={form.values.roleKeys}
        onChange={(keys) => form.setFieldValue('roleKeys', keys)}
        error={form.errors.roleKeys}
      />
    </FormDialog>
  )
}
