/** How a person signs in: passkeys, second factors and linked accounts, and the invitation of those who have none. */
import { useQuery } from '@connectrpc/connect-query'
import { Stack } from '@mantine/core'
import { AuthenticationMethodType } from '../../../../../contract/gen/signet/user/v2/authentication_pb.ts'
import { UserService } from '../../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { FactorsSection } from './factors.tsx'
import { InvitationSection } from './invitation.tsx'
import { LinkedAccountsSection } from './linked-accounts.tsx'
import { type CredentialRights, PasskeysSection } from './passkeys.tsx'

/** With one of these a person can sign in, and is not invited. */
const FIRST_FACTORS = [
  AuthenticationMethodType.PASSWORD,
  AuthenticationMethodType.PASSKEY,
  AuthenticationMethodType.IDP,
] as const

interface SignInMethodsTabProps extends CredentialRights {
  readonly userId: string
  readonly organizationId: string
}

/** The tab. */
export function SignInMethodsTab({ userId, organizationId, mayWrite, maySendLinks }: SignInMethodsTabProps) {
  const { data } = useQuery(UserService.method.listAuthenticationMethodTypes, { userId })
  const mayInvite = mayWrite && data !== undefined && !FIRST_FACTORS.some((type) => data.authMethodTypes.includes(type))
  return (
    <Stack>
      <PasskeysSection
        userId={userId}
        organizationId={organizationId}
        mayWrite={mayWrite}
        maySendLinks={maySendLinks}
      />
      <FactorsSection userId={userId} mayWrite={mayWrite} />
      <LinkedAccountsSection userId={userId} mayWrite={mayWrite} />
      {mayInvite && <InvitationSection userId={userId} organizationId={organizationId} />}
    </Stack>
  )
}
