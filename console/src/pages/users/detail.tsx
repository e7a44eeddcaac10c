/** The page of one user: each tab is a file of its own. */
import { useQuery } from '@connectrpc/connect-query'
import { useParams } from '@tanstack/react-router'
import type { User } from '../../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { DetailPage, type DetailPageProps } from '../../parts/detail-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { useTexts } from '../../texts/index.tsx'
import { AuthorizationsTab } from './access/authorizations-tab.tsx'
import { GroupsTab } from './access/groups-tab.tsx'
import { MembershipsTab } from './access/memberships-tab.tsx'
import { MetadataTab } from './access/metadata-tab.tsx'
import { accessTexts } from './access/texts/index.ts'
import { ContactTab } from './contact-tab.tsx'
import { MachineCredentialsTab } from './credentials/machine-credentials-tab.tsx'
import { SessionsTab } from './credentials/sessions-tab.tsx'
import { SignInMethodsTab } from './credentials/sign-in-methods-tab.tsx'
import { credentialTexts } from './credentials/texts/index.ts'
import { DangerTab } from './danger-tab.tsx'
import { HistoryTab } from './history/history-tab.tsx'
import { historyTexts } from './history/texts/index.ts'
import { LockNotice } from './lock-notice.tsx'
import { MachineTab } from './machine-tab.tsx'
import { ManagedUserNotice } from './managed/managed-notice.tsx'
import { PasswordTab } from './password-tab.tsx'
import { ProfileTab } from './profile-tab.tsx'
import { userTexts } from './texts/index.ts'
import { displayNameOf } from './user-names.ts'
import { UserStateBadge } from './user-state.tsx'

/** The page. */
export function UserDetailPage() {
  const t = useTexts(userTexts)
  const { userId } = useParams({ from: '/users/$userId' })
  const { data, error, refetch } = useQuery(UserService.method.getUserByID, { userId })
  const user = data?.user
  const tabs = useTabs(user)
  const { can } = usePermissions()
  if (error !== null && user === undefined) return <FailureNotice error={error} onRetry={refetch} />
  if (user === undefined) return <PageLoader />
  const managedBy = user.type.case === 'human' ? user.type.value.managedBy : undefined
  const mayWrite = can('user.write', { organizationId: user.details?.resourceOwner ?? '' })
  return (
    <DetailPage
      // Forms start anew with another user.
      key={userId}
      title={displayNameOf(user)}
      subtitle={`${user.preferredLoginName} · ${userId}`}
      badge={<UserStateBadge user={user} />}
      parent={{ to: '/users', label: t.title }}
      notice={
        <>
          <LockNotice user={user} mayUnlock={mayWrite} />
          {managedBy && <ManagedUserNotice userId={userId} managedBy={managedBy} mayDetach={mayWrite} />}
        </>
      }
      tabs={tabs}
    />
  )
}

type Tabs = DetailPageProps['tabs']

/** The tabs that the caller may see. */
function useTabs(user: User | undefined): Tabs {
  const { can } = usePermissions()
  const own = useOwnTabs(user)
  const access = useTexts(accessTexts)
  const credentials = useTexts(credentialTexts)
  const t = useTexts(userTexts)
  const history = useTexts(historyTexts)
  if (user === undefined) return []
  const { userId } = user
  const organizationId = user.details?.resourceOwner ?? ''
  const place = { organizationId }
  const mayWrite = can('user.write', place)
  const mayRemove = can('user.delete', place)
  return [
    ...own,
    user.type.case === 'human' &&
      can('session.read', place) && {
        value: 'sessions',
        label: credentials.tabs.sessions,
        content: <SessionsTab userId={userId} userName={displayNameOf(user)} mayEnd={can('session.delete', place)} />,
      },
    can('user.grant.read', place) && {
      value: 'authorizations',
      label: access.tabs.authorizations,
      content: <AuthorizationsTab userId={userId} />,
    },
    can('group.user.read', place) && {
      value: 'groups',
      label: access.tabs.groups,
      content: <GroupsTab userId={userId} mayRemove={can('group.user.delete', place)} />,
    },
    (can('iam.member.read') || can('org.member.read', place)) && {
      value: 'memberships',
      label: access.tabs.memberships,
      content: <MembershipsTab userId={userId} organizationId={organizationId} />,
    },
    {
      value: 'metadata',
      label: access.tabs.metadata,
      content: <MetadataTab userId={userId} mayWrite={mayWrite} />,
    },
    can('events.read') && { value: 'history', label: history.tab, content: <HistoryTab userId={userId} /> },
    (mayWrite || mayRemove) && {
      value: 'danger',
      label: t.tabs.danger,
      content: <DangerTab user={user} mayWrite={mayWrite} mayRemove={mayRemove} />,
    },
  ]
}

/** The tabs that only people or only machines have. */
function useOwnTabs(user: User | undefined): Tabs {
  const t = useTexts(userTexts)
  const { tabs } = useTexts(credentialTexts)
  const { can } = usePermissions()
  if (user === undefined) return []
  const { userId, type } = user
  const organizationId = user.details?.resourceOwner ?? ''
  const mayWrite = can('user.write', { organizationId })
  if (type.case === 'machine') {
    const machine = { user, machine: type.value, mayWrite }
    return [
      { value: 'profile', label: t.tabs.profile, content: <MachineTab {...machine} /> },
      { value: 'keys', label: tabs.machine, content: <MachineCredentialsTab {...machine} /> },
    ]
  }
  if (type.case !== 'human') return []
  const human = type.value
  const methods = { userId, organizationId, mayWrite, maySendLinks: can('user.passkey.write', { organizationId }) }
  return [
    {
      value: 'profile',
      label: t.tabs.profile,
      content: <ProfileTab user={user} human={human} mayWrite={mayWrite} />,
    },
    {
      value: 'contact',
      label: t.tabs.contact,
      content: <ContactTab userId={userId} human={human} mayWrite={mayWrite} />,
    },
    mayWrite && {
      value: 'password',
      label: t.tabs.password,
      content: <PasswordTab userId={userId} human={human} />,
    },
    { value: 'methods', label: tabs.methods, content: <SignInMethodsTab {...methods} /> },
  ]
}
