/** The roles of a project, which its applications read from tokens. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { AuthorizationService } from '../../../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { TextFilterMethod } from '../../../../contract/gen/signet/filter/v2/filter_pb.ts'
import type { ProjectRole } from '../../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { ProjectRoleFieldName } from '../../../../contract/gen/signet/project/v2/query_pb.ts'
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
import { ROLE_LIST } from './list-spec.ts'
import { projectTexts } from './texts/index.ts'

const { listProjectRoles, addProjectRole, updateProjectRole, removeProjectRole, listProjectGrants } =
  ProjectService.method

const SORTS = { key: ProjectRoleFieldName.KEY, created: ProjectRoleFieldName.CREATION_DATE } as const

interface RolesTabProps {
  readonly projectId: string
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

/** The tab. */
export function RolesTab({ projectId, mayWrite, mayRemove }: RolesTabProps) {
  const t = useTexts(projectTexts)
  const state = useListState(ROLE_LIST)
  const [edited, setEdited] = useState<ProjectRole | 'new'>()
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE
  const found = useQuery(
    listProjectRoles,
    {
      projectId,
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      filters: state.q ? [{ filter: { case: 'roleKeyFilter', value: { key: state.q, method } } }] : [],
    },
    { placeholderData: keepPreviousData },
  )
  const columns: [Column<ProjectRole>, ...Column<ProjectRole>[]] = [
    { key: 'key', header: t.role.key, sort: 'key', cell: ({ key }) => <Text size="sm">{key}</Text> },
    { key: 'name', header: t.role.name, cell: ({ displayName }) => <Text size="sm">{displayName}</Text> },
    { key: 'group', header: t.role.group, cell: ({ group }) => <Text size="sm">{group || '–'}</Text> },
    { key: 'created', header: t.created, sort: 'created', cell: ({ creationDate }) => <When time={creationDate} /> },
  ]
  if (mayWrite || mayRemove) {
    const cell = (role: ProjectRole) => (
      <RoleActions role={role} mayWrite={mayWrite} mayRemove={mayRemove} onEdit={() => setEdited(role)} />
    )
    columns.push({ key: 'actions', header: t.actions, cell })
  }
  return (
    <>
      <ListSection
        title={t.tabs.roles}
        description={t.role.hint}
        actions={
          mayWrite && (
            <Button onClick={() => setEdited('new')} leftSection={<Icon name="plus" size={16} />}>
              {t.role.add}
            </Button>
          )
        }
        state={state}
        searchLabel={t.role.key}
        columns={columns}
        list={rowsAt(found, ({ projectRoles }) => projectRoles)}
        keyOf={({ key }) => key}
        empty={<Text>{t.role.empty}</Text>}
      />
      {edited === 'new' && <AddRole projectId={projectId} onClose={() => setEdited(undefined)} />}
      {edited !== undefined && edited !== 'new' && <EditRole role={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

interface RoleActionsProps {
  readonly role: ProjectRole
  readonly mayWrite: boolean
  readonly mayRemove: boolean
  onEdit(): void
}

function RoleActions({ role: { projectId, key }, mayWrite, mayRemove, onEdit }: RoleActionsProps) {
  const t = useTexts(projectTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const remove = useAction(removeProjectRole, {
    done: t.role.removeDone,
    changes: [listProjectRoles, listProjectGrants, AuthorizationService.method.listAuthorizations],
  })
  return (
    <Group gap="xs">
      {mayWrite && <RowButton label={t.edit} of={key} onClick={onEdit} />}
      {mayRemove && <RowButton label={t.remove} of={key} onClick={open} />}
      <ConfirmRemove
        name={key}
        isOpen={isOpen}
        onClose={close}
        consequence={t.role.removeHint}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run({ projectId, roleKey: key })}
      />
    </Group>
  )
}

function AddRole({ projectId, onClose }: { readonly projectId: string; onClose(): void }) {
  const t = useTexts(projectTexts)
  const { required } = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: { roleKey: '', displayName: '', group: '' },
    validate: { roleKey: isNotEmpty(required) },
    paths: { roleKey: 'roleKey', displayName: 'displayName', group: 'group' },
    refusals: { 'project_role.exists': 'roleKey' },
  })
  const add = useAction(addProjectRole, {
    done: t.role.addDone,
    changes: [listProjectRoles],
    onError: showError,
    onDone: onClose,
  })
  const send = form.onSubmit(({ roleKey, displayName, group }) =>
    add.run({ projectId, roleKey: roleKey.trim(), displayName: displayName.trim() || roleKey.trim(), group }),
  )
  return (
    <FormDialog
      title={t.role.add}
      submitLabel={t.role.add}
      problems={problems}
      isRunning={add.isRunning}
      onClose={onClose}
      onSubmit={send}
    >
      <TextInput
        label={t.role.key}
        description={t.role.keyHint}
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('roleKey')}
      />
      <TextInput label={t.role.name} description={t.role.nameHint} {...form.getInputProps('displayName')} />
      <TextInput label={t.role.group} description={t.role.groupHint} {...form.getInputProps('group')} />
    </FormDialog>
  )
}

function EditRole({ role, onClose }: { readonly role: ProjectRole; onClose(): void }) {
  const t = useTexts(projectTexts)
  const { required, save: saveLabel, saved } = useTexts(partsTexts)
  const { projectId, key: roleKey } = role
  const { form, problems, showError } = useServerForm({
    initialValues: { displayName: role.displayName, group: role.group },
    validate: { displayName: isNotEmpty(required) },
    paths: { displayName: 'displayName', group: 'group' },
  })
  const save = useAction(updateProjectRole, {
    done: saved,
    changes: [listProjectRoles],
    onError: showError,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={`${t.edit}: ${roleKey}`}
      submitLabel={saveLabel}
      problems={problems}
      isRunning={save.isRunning}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => save.run({ projectId, roleKey, ...values }))}
    >
      <TextInput label={t.role.name} required data-autofocus {...form.getInputProps('displayName')} />
      <TextInput label={t.role.group} description={t.role.groupHint} {...form.getInputProps('group')} />
    </FormDialog>
  )
}
