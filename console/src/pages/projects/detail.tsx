/** The page of one project: each tab is a file of its own. */
import { useQuery } from '@connectrpc/connect-query'
import { useParams } from '@tanstack/react-router'
import { type Project, ProjectState } from '../../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import type { Permission } from '../../access/permissions.ts'
import { DetailPage } from '../../parts/detail-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { useTexts } from '../../texts/index.tsx'
import { MembersTab } from '../administrators/members-tab.tsx'
import { ApiTab } from './api/api-tab.tsx'
import { ApplicationsTab } from './applications-tab.tsx'
import { AuthorizationsTab } from './authorizations-tab.tsx'
import { DangerTab } from './danger-tab.tsx'
import { GrantsTab } from './grants-tab.tsx'
import { ActiveBadge } from './project-state.tsx'
import { RolesTab } from './roles-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { projectTexts } from './texts/index.ts'

/** The page. */
export function ProjectDetailPage() {
  const t = useTexts(projectTexts)
  const { projectId } = useParams({ from: '/projects/$projectId' })
  const permissions = usePermissions()
  const { data, error, refetch } = useQuery(ProjectService.method.getProject, { projectId })
  const project = data?.project
  if (error !== null && project === undefined) return <FailureNotice error={error} onRetry={refetch} />
  if (project === undefined) return <PageLoader />
  const place = { organizationId: project.organizationId, projectId }
  const can = (permission: Permission) => permissions.can(permission, place)
  return (
    <DetailPage
      key={projectId}
      title={project.name}
      subtitle={projectId}
      badge={<ActiveBadge isActive={project.state === ProjectState.ACTIVE} />}
      parent={{ to: '/projects', label: t.title }}
      tabs={[
        can('project.app.read') && {
          value: 'applications',
          label: t.tabs.applications,
          content: (
            <ApplicationsTab
              projectId={projectId}
              mayWrite={can('project.app.write')}
              mayRemove={can('project.app.delete')}
            />
          ),
        },
        can('project.role.read') && {
          value: 'roles',
          label: t.tabs.roles,
          content: (
            <RolesTab
              projectId={projectId}
              mayWrite={can('project.role.write')}
              mayRemove={can('project.role.delete')}
            />
          ),
        },
        {
          value: 'api',
          label: t.tabs.api,
          content: (
            <ApiTab project={project} mayWrite={can('project.write')} mayAddClients={can('project.app.write')} />
          ),
        },
        ...accessTabs(project, can, t.tabs),
        {
          value: 'settings',
          label: t.tabs.settings,
          content: <SettingsTab project={project} mayWrite={can('project.write')} />,
        },
        (can('project.write') || can('project.delete')) && {
          value: 'danger',
          label: t.tabs.danger,
          content: <DangerTab project={project} mayWrite={can('project.write')} mayRemove={can('project.delete')} />,
        },
      ]}
    />
  )
}

/** Who has access to the project: users, organizations, and those who manage it. */
function accessTabs(
  project: Project,
  can: (permission: Permission) => boolean,
  labels: { readonly authorizations: string; readonly grants: string; readonly members: string },
) {
  const { projectId } = project
  return [
    can('user.grant.read') && {
      value: 'authorizations',
      label: labels.authorizations,
      content: (
        <AuthorizationsTab project={project} mayWrite={can('user.grant.write')} mayRemove={can('user.grant.delete')} />
      ),
    },
    can('project.grant.read') && {
      value: 'grants',
      label: labels.grants,
      content: (
        <GrantsTab project={project} mayWrite={can('project.grant.write')} mayRemove={can('project.grant.delete')} />
      ),
    },
    can('project.member.read') && {
      value: 'members',
      label: labels.members,
      content: <MembersTab place={{ level: 'project', id: projectId }} mayWrite={can('project.member.write')} />,
    },
  ]
}
