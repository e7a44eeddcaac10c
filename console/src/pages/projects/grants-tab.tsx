/** The organizations that a project is granted to: they give its roles to their own users. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AuthorizationService } from '../../../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { TextFilterMethod } from '../../../../contract/gen/signet/filter/v2/filter_pb.ts'
import {
  type Project,
  type ProjectGrant,
  ProjectGrantState,
} from '../../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { ProjectGrantFieldName } from '../../../../contract/gen/signet/project/v2/query_pb.ts'
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
import { OrganizationSelect } from '../organizations/organization-select.tsx'
import { GRANT_LIST } from './list-spec.ts'
import { ActiveBadge } from './project-state.tsx'
import { RoleKeys, RoleKeysField } from './role-keys-field.tsx'
import { projectTexts } from './texts/index.ts'

const { listProjectGrants, createProjectGrant, updateProjectGrant, deleteProjectGrant } = ProjectService.method
const { activateProjectGrant, deactivateProjectGrant } = ProjectService.method

const SORTS = { created: ProjectGrantFieldName.CREATION_DATE, changed: ProjectGrantFieldName.CHANGE_DATE } as const

/** Authorizations depend on grants. */
const CHANGES = [listProjectGrants, AuthorizationService.method.listAuthorizations]

interface GrantsTabProps {
  readonly project: Project
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

/** The tab. */
export function GrantsTab({ project, mayWrite, mayRemove }: GrantsTabProps) {
  const t = useTexts(projectTexts)
  const state = useListState(GRANT_LIST)
  const [edited, setEdited] = useState<ProjectGrant | 'new'>()
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE
  const found = useQuery(
    listProjectGrants,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      filters: [
        { filter: { case: 'inProjectIdsFilter', value: { ids: [project.projectId] } } },
        ...(state.q ? [{ filter: { case: 'roleKeyFilter', value: { key: state.q, method } } } as const] : []),
      ],
    },
    { placeholderData: keepPreviousData },
  )
  const columns: [Column<ProjectGrant>, ...Column<ProjectGrant>[]] = [
    { key: 'organization', header: t.organization, cell: (grant) => <GrantedOrganization grant={grant} /> },
    { key: 'roles', header: t.tabs.roles, cell: ({ grantedRoleKeys }) => <RoleKeys keys={grantedRoleKeys} /> },
    {
      key: 'state',
      header: t.state,
      cell: (grant) => <ActiveBadge isActive={grant.state === ProjectGrantState.ACTIVE} />,
    },
    { key: 'created', header: t.created, sort: 'created', cell: ({ creationDate }) => <When time={creationDate} /> },
  ]
  if (mayWrite || mayRemove) {
    const cell = (grant: ProjectGrant) => (
      <GrantActions grant={grant} mayWrite={mayWrite} mayRemove={mayRemove} onEdit={() => setEdited(grant)} />
    )
    columns.push({ key: 'actions', header: t.actions, cell })
  }
  return (
    <>
      <ListSection
        title={t.tabs.grants}
        description={t.grant.hint}
        actions={
          mayWrite && (
            <Button onClick={() => setEdited('new')} leftSection={<Icon name="plus" size={16} />}>
              {t.grant.add}
            </Button>
          )
        }
        state={state}
        searchLabel={t.tabs.roles}
        columns={columns}
        list={rowsAt(found, ({ projectGrants }) => projectGrants)}
        keyOf={({ grantedOrganizationId }) => grantedOrganizationId}
        empty={<Text>{t.grant.empty}</Text>}
      />
      {edited === 'new' && <AddGrant project={project} onClose={() => setEdited(undefined)} />}
      {edited !== undefined && edited !== 'new' && <EditGrant grant={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function GrantedOrganization({ grant }: { readonly grant: ProjectGrant }) {
  const params = { organizationId: grant.grantedOrganizationId }
  return (
    <Anchor component={Link} to="/organizations/$organizationId" params={params as never} size="sm" fw={500}>
      {grant.grantedOrganizationName || grant.grantedOrganizationId}
    </Anchor>
  )
}

interface GrantActionsProps {
  readonly grant: ProjectGrant
  readonly mayWrite: boolean
  readonly mayRemove: boolean
  onEdit(): void
}

function GrantActions({ grant, mayWrite, mayRemove, onEdit }: GrantActionsProps) {
  const t = useTexts(projectTexts)
  const [isOpen, { open, close }] = useDisclosure()
  const { projectId, grantedOrganizationId } = grant
  const named = grant.grantedOrganizationName || grantedOrganizationId
  const target = { projectId, grantedOrganizationId }
  const isActive = grant.state === ProjectGrantState.ACTIVE
  const activate = useAction(activateProjectGrant, { done: t.grant.activateDone, changes: CHANGES })
  const deactivate = useAction(deactivateProjectGrant, { done: t.grant.deactivateDone, changes: CHANGES })
  const remove = useAction(deleteProjectGrant, { done: t.grant.removeDone, changes: CHANGES })
  const turn = isActive ? deactivate : activate
  return (
    <Group gap="xs">
      {mayWrite && <RowButton label={t.edit} of={named} onClick={onEdit} />}
      {mayWrite && (
        <RowButton
          label={isActive ? t.danger.deactivate : t.danger.activate}
          of={named}
          isRunning={turn.isRunning}
          onClick={() => turn.run(target)}
        />
      )}
      {mayRemove && <RowButton label={t.remove} of={named} onClick={open} />}
      <ConfirmRemove
        name={named}
        isOpen={isOpen}
        onClose={close}
        consequence={t.grant.removeHint}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run(target)}
      />
    </Group>
  )
}

function AddGrant({ project, onClose }: { readonly project: Project; onClose(): void }) {
  const t = useTexts(projectTexts)
  const { required } = useTexts(partsTexts)
  const { projectId } = project
  const { form, problems, showError } = useServerForm({
    initialValues: { grantedOrganizationId: '', roleKeys: [] as string[] },
    validate: { grantedOrganizationId: isNotEmpty(required) },
    paths: { grantedOrganizationId: 'grantedOrganizationId', roleKeys: 'roleKeys' },
    refusals: {
      'project_grant.exists': 'grantedOrganizationId',
      'project_grant.own_organization': 'grantedOrganizationId',
      'project_grant.role_not_found': 'roleKeys',
    },
  })
  const add = useAction(createProjectGrant, {
    done: t.grant.addDone,
    changes: CHANGES,
    onError: showError,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t.grant.add}
      submitLabel={t.grant.add}
      problems={problems}
      isRunning={add.isRunning}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => add.run({ projectId, ...values }))}
    >
      <OrganizationSelect
        label={t.grantedTo}
        value={form.values.grantedOrganizationId}
        onChange={(id) => form.setFieldValue('grantedOrganizationId', id)}
        error={form.errors.grantedOrganizationId}
        without={project.organizationId}
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

function EditGrant({ grant, onClose }: { readonly grant: ProjectGrant; onClose(): void }) {
  const t = useTexts(projectTexts)
  const { save: saveLabel, saved } = useTexts(partsTexts)
  const { projectId, grantedOrganizationId } = grant
  const { form, problems, showError } = useServerForm({
    initialValues: { roleKeys: [...grant.grantedRoleKeys] },
    paths: { roleKeys: 'roleKeys' },
    refusals: { 'project_grant.role_not_found': 'roleKeys' },
  })
  const save = useAction(updateProjectGrant, { done: saved, changes: CHANGES, onError: showError, onDone: onClose })
  return (
    <FormDialog
      title={`${t.edit}: ${grant.grantedOrganizationName || grantedOrganizationId}`}
      submitLabel={saveLabel}
      problems={problems}
      isRunning={save.isRunning}
      onClose={onClose}
      onSubmit={form.onSubmit(({ roleKeys }) => save.run({ projectId, grantedOrganizationId, roleKeys }))}
    >
      <Text size="sm">{t.grant.editHint}</Text>
      <RoleKeysField
        projectId={projectId}
        value={form.values.roleKeys}
        onChange={(keys) => form.setFieldValue('roleKeys', keys)}
        error={form.errors.roleKeys}
      />
    </FormDialog>
  )
}
