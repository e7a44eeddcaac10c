/** The page of one user: each tab is a file of its own. */
import { useQuery } from '@connectrpc/connect-query'
import { useParams } from '@tanstack/react-router'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { DetailPage } from '../../parts/detail-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { useTexts } from '../../texts/index.tsx'
import { ContactTab } from './contact-tab.tsx'
import { DangerTab } from './danger-tab.tsx'
import { MachineTab } from './machine-tab.tsx'
import { PasswordTab } from './password-tab.tsx'
import { ProfileTab } from './profile-tab.tsx'
import { userTexts } from './texts/index.ts'
import { displayNameOf } from './user-names.ts'
import { UserStateBadge } from './user-state.tsx'

/** The page. */
export function UserDetailPage() {
  const t = useTexts(userTexts)
  const { userId } = useParams({ from: '/users/$userId' })
  const { can } = usePermissions()
  const { data, error, refetch } = useQuery(UserService.method.getUserByID, { userId })
  const user = data?.user
  if (error !== null && user === undefined) return <FailureNotice error={error} onRetry={refetch} />
  if (user === undefined) return <PageLoader />
  const place = { organizationId: user.details?.resourceOwner }
  const mayWrite = can('user.write', place)
  const mayRemove = can('user.delete', place)
  const human = user.type.case === 'human' ? user.type.value : undefined
  const machine = user.type.case === 'machine' ? user.type.value : undefined
  return (
    <DetailPage
      // Forms start anew with another user.
      key={userId}
      title={displayNameOf(user)}
      subtitle={`${user.preferredLoginName} · ${userId}`}
      badge={<UserStateBadge state={user.state} />}
      parent={{ to: '/users', label: t.title }}
      tabs={[
        human && {
          value: 'profile',
          label: t.tabs.profile,
          content: <ProfileTab user={user} human={human} mayWrite={mayWrite} />,
        },
        machine && {
          value: 'profile',
          label: t.tabs.profile,
          content: <MachineTab user={user} machine={machine} mayWrite={mayWrite} />,
        },
        human && {
          value: 'contact',
          label: t.tabs.contact,
          content: <ContactTab userId={userId} human={human} mayWrite={mayWrite} />,
        },
        human &&
          mayWrite && {
            value: 'password',
            label: t.tabs.password,
            content: <PasswordTab userId={userId} human={human} />,
          },
        (mayWrite || mayRemove) && {
          value: 'danger',
          label: t.tabs.danger,
          content: <DangerTab user={user} mayWrite={mayWrite} mayRemove={mayRemove} />,
        },
      ]}
    />
  )
}
