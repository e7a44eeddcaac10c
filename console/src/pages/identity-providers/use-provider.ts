/** Reads an identity provider, whichever organization it belongs to. */
import { useQuery } from '@connectrpc/connect-query'
import type { Provider } from '../../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { IdentityProviderService } from '../../../../contract/gen/signet/idp/v2/idp_service_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { readFailure } from '../../api/errors.ts'

interface FoundProvider {
  readonly provider: Provider | undefined
  /** The organization that it belongs to, when this is not the chosen one. */
  readonly otherOrganizationId: string | undefined
  readonly error: unknown
  refetch(): unknown
}

/**
 * The method with all settings knows the providers of the instance and of the organization of the call. A link to
 * one of another organization is followed by the method that knows all of them.
 */
export function useProvider(id: string): FoundProvider {
  const own = useQuery(ManagementService.method.getProviderByID, { id })
  const isElsewhere = own.error !== null && readFailure(own.error).kind === 'not_found'
  const other = useQuery(IdentityProviderService.method.getIDPByID, { id }, { enabled: isElsewhere })
  return {
    provider: own.data?.idp,
    otherOrganizationId: isElsewhere ? other.data?.idp?.details?.resourceOwner : undefined,
    error: isElsewhere && other.error === null ? null : (other.error ?? own.error),
    refetch: own.refetch,
  }
}
