/** Why a sign-in failed, from the log. Browsers and clients learn less; administrators may read it. */
import { useQuery } from '@connectrpc/connect-query'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { usePermissions } from '../../access/me.tsx'

interface Wanted {
  /** The sign-in; without one, the last that could not start at the provider. */
  readonly intentId?: string | undefined
  readonly providerId?: string
  readonly isWanted: boolean
}

const RECENT = 20

/** The code of the reason; undefined when the user may not read the log. */
export function useFailureReason({ intentId, providerId, isWanted }: Wanted) {
  const { can } = usePermissions()
  const { data, isLoading } = useQuery(
    AdminService.method.listEvents,
    {
      limit: RECENT,
      aggregateTypes: ['intent'],
      ...(intentId !== undefined && { aggregateId: intentId }),
    },
    { enabled: isWanted && can('events.read'), staleTime: 0, gcTime: 0 },
  )
  const payloads = (data?.events ?? []).map(({ payload }) => payload ?? {})
  const failed = payloads.find(
    ({ reason, idpId }) => typeof reason === 'string' && (intentId !== undefined || idpId === providerId),
  )
  return { reason: failed?.reason as string | undefined, isLoading }
}
