/** The signed-in user and what they may do, read once at the start and given to everything below. */
import { useQuery } from '@connectrpc/connect-query'
import { createContext, type ReactNode, use, useMemo } from 'react'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { PageLoader } from '../parts/page-loader.tsx'
import { type Membership, type Permissions, permissionsOf } from './permissions.ts'

/** The signed-in user. */
export interface Me {
  readonly userId: string
  readonly displayName: string
  readonly loginName: string
  /** The organization that the user belongs to. */
  readonly organizationId: string
  readonly permissions: Permissions
}

const MeContext = createContext<Me | undefined>(undefined)

/** Reads the user, and shows the rest when it is known. */
export function MeProvider({ children }: { readonly children: ReactNode }) {
  const { getMyUser, listMyMemberships } = AuthService.method
  const lasting = { staleTime: 5 * 60_000 }
  const user = useQuery(getMyUser, {}, lasting)
  const memberships = useQuery(listMyMemberships, { query: { limit: 1000 } }, lasting)
  const me = useMemo<Me | undefined>(() => {
    const found = user.data?.user
    if (found === undefined || memberships.data === undefined) return undefined
    const profile = found.type.case === 'human' ? found.type.value.profile : undefined
    return {
      userId: found.id,
      displayName: profile?.displayName || found.preferredLoginName,
      loginName: found.preferredLoginName,
      organizationId: found.details?.resourceOwner ?? '',
      permissions: permissionsOf(memberships.data.result.map(membershipOf)),
    }
  }, [user.data, memberships.data])
  const error = user.error ?? memberships.error
  if (me !== undefined) return <MeContext value={me}>{children}</MeContext>
  if (error === null) return <PageLoader />
  const retry = () => Promise.all([user.refetch(), memberships.refetch()])
  return <FailureNotice error={error} onRetry={retry} />
}

type ListedMembership = { readonly roles: string[]; readonly type: { case?: string | undefined; value?: unknown } }

function membershipOf({ roles, type }: ListedMembership): Membership {
  const levels = {
    iam: 'instance',
    orgId: 'organization',
    projectId: 'project',
    projectGrantId: 'project_grant',
  } as const
  const level = levels[(type.case ?? 'iam') as keyof typeof levels]
  return { level, id: level === 'instance' ? '' : String(type.value), roles }
}

/** The signed-in user. */
export function useMe(): Me {
  const me = use(MeContext)
  if (me === undefined) throw new Error('useMe needs a MeProvider above it.')
  return me
}

/** What the signed-in user may do; the server decides, the console only hides what it would refuse. */
export function usePermissions(): Permissions {
  return useMe().permissions
}
