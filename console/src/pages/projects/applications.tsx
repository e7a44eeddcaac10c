/** All applications of the chosen organization, whichever project they belong to. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Application } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { useOrganization, useTargetOrganization } from '../../access/organization.tsx'
import { Icon } from '../../parts/icons.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { projectTexts } from './texts/index.ts'
import { useApplications } from './use-applications.tsx'

/** The page. */
export function ApplicationListPage() {
  const t = useTexts(projectTexts)
  const { organizationId } = useOrganization()
  const { columns, ...shown } = useApplications(
    organizationId ? { filter: { case: 'organizationIdFilter', value: { organizationId } } } : undefined,
  )
  const project = useProjectColumn(shown.list.rows ?? [])
  const [name, kind, ...others] = columns
  return (
    <ListPage
      {...shown}
      title={t.tabs.applications}
      description={t.applicationsHint}
      actions={<CreateButton />}
      columns={[name, ...(kind ? [kind] : []), project, ...others]}
    />
  )
}

/** The names of the projects of these rows, which are read together. */
function useProjectColumn(rows: readonly Application[]): Column<Application> {
  const t = useTexts(projectTexts)
  const ids = [...new Set(rows.map(({ projectId }) => projectId))].toSorted()
  const { data } = useQuery(
    ProjectService.method.listProjects,
    { pagination: { limit: 1000 }, filters: [{ filter: { case: 'inProjectIdsFilter', value: { ids } } }] },
    { enabled: ids.length > 0, placeholderData: keepPreviousData },
  )
  const names = new Map(data?.projects.map(({ projectId, name }) => [projectId, name]))
  return {
    key: 'project',
    header: t.project,
    cell: ({ projectId }) => (
      <Anchor component={Link} to="/projects/$projectId" params={{ projectId } as never} size="sm">
        {names.get(projectId) ?? projectId}
      </Anchor>
    ),
  }
}

function CreateButton() {
  const t = useTexts(projectTexts)
  const { can } = usePermissions()
  const organizationId = useTargetOrganization()
  if (!can('project.app.write', { organizationId })) return null
  return (
    <Button component={Link} to="/protect-an-app" leftSection={<Icon name="plus" size={16} />}>
      {t.createApplication}
    </Button>
  )
}
