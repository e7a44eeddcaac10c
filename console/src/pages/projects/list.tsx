/** The list of projects: those of the chosen organization, and those that are granted to it. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button, Group, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TextFilterMethod } from '../../../../contract/gen/signet/filter/v2/filter_pb.ts'
import {
  GrantedProjectState,
  type Project,
  ProjectState,
} from '../../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import {
  ProjectFieldName,
  ProjectOrganizationIDFilter_Type,
} from '../../../../contract/gen/signet/project/v2/query_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useOrganization, useTargetOrganization } from '../../access/organization.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { rowsAt } from '../../parts/rows-at.ts'
import { useListState } from '../../parts/use-list-state.ts'
import { When } from '../../parts/when.tsx'
import { useTexts } from '../../texts/index.tsx'
import { PROJECT_LIST } from './list-spec.ts'
import { ActiveBadge } from './project-state.tsx'
import type { ProjectTexts } from './texts/en.ts'
import { projectTexts } from './texts/index.ts'

const SORTS = {
  name: ProjectFieldName.NAME,
  created: ProjectFieldName.CREATION_DATE,
  changed: ProjectFieldName.CHANGE_DATE,
} as const

const OWNERSHIPS = {
  owned: ProjectOrganizationIDFilter_Type.OWNED,
  granted: ProjectOrganizationIDFilter_Type.GRANTED,
} as const

function isActive({ state, grantedState }: Project): boolean {
  return state === ProjectState.ACTIVE && grantedState !== GrantedProjectState.INACTIVE
}

function columnsOf(t: ProjectTexts): [Column<Project>, ...Column<Project>[]] {
  return [
    { key: 'name', header: t.name, sort: 'name', cell: (project) => <ProjectLink project={project} /> },
    {
      key: 'grantedTo',
      header: t.grantedTo,
      cell: ({ grantedOrganizationName }) => <Text size="sm">{grantedOrganizationName || '–'}</Text>,
    },
    { key: 'state', header: t.state, cell: (project) => <ActiveBadge isActive={isActive(project)} /> },
    { key: 'created', header: t.created, sort: 'created', cell: ({ creationDate }) => <When time={creationDate} /> },
    { key: 'changed', header: t.changed, sort: 'changed', cell: ({ changeDate }) => <When time={changeDate} /> },
  ]
}

/** The page. */
export function ProjectListPage() {
  const t = useTexts(projectTexts)
  const state = useListState(PROJECT_LIST)
  const { organizationId } = useOrganization()
  const { ownership } = state.filters
  const method = TextFilterMethod.CONTAINS_IGNORE_CASE
  const type = ownership ? OWNERSHIPS[ownership] : ProjectOrganizationIDFilter_Type.OWNED_OR_GRANTED
  const found = useQuery(
    ProjectService.method.listProjects,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      filters: [
        ...(state.q
          ? [{ filter: { case: 'projectNameFilter', value: { projectName: state.q, method } } } as const]
          : []),
        ...(organizationId
          ? [{ filter: { case: 'organizationIdFilter', value: { organizationId, type } } } as const]
          : []),
      ],
    },
    { placeholderData: keepPreviousData },
  )
  const ownerships = PROJECT_LIST.filters.ownership.map((value) => ({ value, label: t.ownerships[value] }))
  return (
    <ListPage
      title={t.title}
      description={t.description}
      actions={<CreateButton />}
      state={state}
      searchLabel={t.name}
      // Without an organization, every grant would be one of some organization.
      filters={organizationId ? [{ name: 'ownership', label: t.ownership, options: ownerships }] : []}
      columns={columnsOf(t)}
      list={rowsAt(found, ({ projects }) => projects)}
      keyOf={({ projectId, grantedOrganizationId }) => `${projectId} ${grantedOrganizationId ?? ''}`}
      empty={<Text>{t.empty}</Text>}
    />
  )
}

function CreateButton() {
  const t = useTexts(projectTexts)
  const { can } = usePermissions()
  const organizationId = useTargetOrganization()
  if (!can('project.create', { organizationId })) return null
  return (
    <Button component={Link} to="/projects/new" leftSection={<Icon name="plus" size={16} />}>
      {t.create}
    </Button>
  )
}

function ProjectLink({ project: { projectId, name } }: { readonly project: Project }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Icon name="project" />
      <Anchor component={Link} to="/projects/$projectId" params={{ projectId } as never} size="sm" fw={500}>
        {name}
      </Anchor>
    </Group>
  )
}
