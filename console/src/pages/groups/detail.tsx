/** The page of one group: each tab is a file of its own. */
import { useQuery } from '@connectrpc/connect-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Group } from '../../../../contract/gen/signet/group/v2/group_pb.ts'
import { GroupService } from '../../../../contract/gen/signet/group/v2/group_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { DangerSection, RemoveRow } from '../../parts/danger-section.tsx'
import { DetailPage } from '../../parts/detail-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { AuthorizationsTab } from '../users/access/authorizations-tab.tsx'
import { ManagedGroupNotice } from '../users/managed/managed-notice.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { groupTexts } from './texts/index.ts'
import { UsersTab } from './users-tab.tsx'

const { getGroup, listGroups, deleteGroup } = GroupService.method

/** The page. */
export function GroupDetailPage() {
  const t = useTexts(groupTexts)
  const { groupId } = useParams({ from: '/groups/$groupId' })
  const { can } = usePermissions()
  const { data, error, refetch } = useQuery(getGroup, { id: groupId })
  const group = data?.group
  if (error !== null && group === undefined) return <FailureNotice error={error} onRetry={refetch} />
  if (group === undefined) return <PageLoader />
  const place = { organizationId: group.organizationId }
  return (
    <DetailPage
      key={groupId}
      title={group.name}
      subtitle={groupId}
      parent={{ to: '/groups', label: t.title }}
      notice={
        group.managedBy && (
          <ManagedGroupNotice groupId={groupId} managedBy={group.managedBy} mayDetach={can('group.write', place)} />
        )
      }
      tabs={[
        can('group.user.read', place) && {
          value: 'users',
          label: t.tabs.users,
          content: (
            <UsersTab
              group={group}
              mayAdd={can('group.user.write', place)}
              mayRemove={can('group.user.delete', place)}
            />
          ),
        },
        can('user.grant.read', place) && {
          value: 'roles',
          label: t.tabs.roles,
          content: <AuthorizationsTab groupId={groupId} />,
        },
        {
          value: 'settings',
          label: t.tabs.settings,
          content: <SettingsTab group={group} mayWrite={can('group.write', place)} />,
        },
        can('group.delete', place) && { value: 'danger', label: t.tabs.danger, content: <DangerTab group={group} /> },
      ]}
    />
  )
}

function DangerTab({ group: { id, name } }: { readonly group: Group }) {
  const { tabs, danger } = useTexts(groupTexts)
  const navigate = useNavigate()
  const remove = useAction(deleteGroup, {
    done: danger.removeDone,
    changes: [listGroups],
    onDone: () => navigate({ to: '/groups' }),
  })
  return (
    <DangerSection title={tabs.danger}>
      <RemoveRow texts={danger} name={name} isRunning={remove.isRunning} onRemove={() => remove.run({ id })} />
    </DangerSection>
  )
}
