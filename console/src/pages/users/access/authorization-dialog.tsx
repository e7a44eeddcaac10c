/** Gives a user or a group roles of a project, or changes them. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Group, Modal, MultiSelect, Select, Stack, Text } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { Authorization } from '../../../../../contract/gen/signet/authorization/v2/authorization_pb.ts'
import { AuthorizationService } from '../../../../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { TextFilterMethod } from '../../../../../contract/gen/signet/filter/v2/filter_pb.ts'
import type { Project } from '../../../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { FormProblems } from '../../../parts/form-problems.tsx'
import { partsTexts } from '../../../parts/texts/index.ts'
import { useAction } from '../../../parts/use-action.ts'
import { useServerForm } from '../../../parts/use-server-form.ts'
import { useTexts } from '../../../texts/index.tsx'
import { accessTexts } from './texts/index.ts'

const { listAuthorizations, createAuthorization, updateAuthorization } = AuthorizationService.method

interface AuthorizationDialogProps {
  readonly holder: { readonly userId: string } | { readonly groupId: string }
  /** The authorization whose roles are changed; none: a new one. */
  readonly edited?: Authorization
  onClose(): void
}

/** A project in the list of choices: an organization can have it as its own, or by a grant. */
function placeOf({ projectId, organizationId, grantedOrganizationId }: Project): string {
  return `${projectId}/${grantedOrganizationId || organizationId}`
}

/** The dialog. */
export function AuthorizationDialog({ holder, edited, onClose }: AuthorizationDialogProps) {
  const t = useTexts(accessTexts)
  const parts = useTexts(partsTexts)
  const { form, problems, showError } = useServerForm({
    initialValues: {
      place: edited ? `${edited.project?.id}/${edited.organization?.id}` : '',
      roleKeys: edited?.roles.map(({ key }) => key) ?? ([] as string[]),
    },
    validate: { place: isNotEmpty(parts.required) },
    paths: { place: 'projectId', roleKeys: 'roleKeys' },
  })
  const options = { changes: [listAuthorizations], onError: showError, onDone: onClose }
  const create = useAction(createAuthorization, { ...options, done: t.authorizations.added })
  const update = useAction(updateAuthorization, { ...options, done: parts.saved })
  const send = form.onSubmit(({ place, roleKeys }) => {
    if (edited) return void update.run({ id: edited.id, roleKeys })
    const [projectId, organizationId] = place.split('/')
    return void create.run({ ...holder, projectId: projectId ?? '', organizationId: organizationId ?? '', roleKeys })
  })
  const projectId = form.values.place.split('/')[0] ?? ''
  const { data: roles } = useQuery(
    ProjectService.method.listProjectRoles,
    { projectId, pagination: { limit: 1000, asc: true } },
    { enabled: projectId !== '' },
  )
  const choices = roles?.projectRoles.map(({ key, displayName }) => ({ value: key, label: `${displayName} (${key})` }))
  const title = edited ? t.authorizations.editTitle({ project: edited.project?.name ?? '' }) : t.authorizations.add
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': parts.close }}>
      <form onSubmit={send} noValidate>
        <Stack>
          <FormProblems problems={problems} />
          {edited === undefined && (
            <ProjectSelect
              {...form.getInputProps('place')}
              onChange={(place) => form.setValues({ place: place ?? '', roleKeys: [] })}
            />
          )}
          {choices?.length === 0 ? (
            <Text size="sm">{t.authorizations.noProjectRoles}</Text>
          ) : (
            <MultiSelect
              label={t.roles}
              data={choices ?? []}
              disabled={choices === undefined}
              searchable
              {...form.getInputProps('roleKeys')}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {parts.cancel}
            </Button>
            <Button type="submit" loading={create.isRunning || update.isRunning}>
              {edited ? parts.save : t.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

interface ProjectSelectProps {
  readonly value?: string
  readonly error?: string
  onChange(value: string | null): void
}

function ProjectSelect({ value, error, onChange }: ProjectSelectProps) {
  const t = useTexts(accessTexts)
  const { list } = useTexts(partsTexts)
  const [text, setText] = useState('')
  const [sought] = useDebouncedValue(text, 250)
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE
  const { data } = useQuery(ProjectService.method.listProjects, {
    pagination: { limit: 50, asc: true },
    filters: sought ? [{ filter: { case: 'projectNameFilter', value: { projectName: sought, method } } }] : [],
  })
  const choices = data?.projects.map((project) => ({
    value: placeOf(project),
    label: project.grantedOrganizationId
      ? t.authorizations.grantedTo({
          project: project.name,
          organization: project.grantedOrganizationName ?? project.grantedOrganizationId,
        })
      : project.name,
  }))
  return (
    <Select
      label={t.authorizations.project}
      data={choices ?? []}
      required
      searchable
      data-autofocus
      value={value || null}
      error={error}
      onChange={onChange}
      onSearchChange={(next) => setText(choices?.some(({ label }) => label === next) ? '' : next)}
      // The server has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={list.nothingFound}
    />
  )
}
