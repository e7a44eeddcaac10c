/** How a person signs in: passkeys, second factors and linked accounts, and the invitation of those who have none. */
import { Stack } from '@mantine/core'
import { FactorsSection } from './factors.tsx'
import { InvitationSection } from './invitation.tsx'
import { LinkedAccountsSection } from './linked-accounts.tsx'
import { PasskeysSection } from './passkeys.tsx'

/** What the caller may do with the sign-in methods of a person. */
export interface CredentialRights {
  readonly mayWrite: boolean
  readonly maySendLinks: boolean
}

interface SignInMethodsTabProps extends CredentialRights {
  readonly userId: string
  readonly organizationId: string
}

/** The tab. */
export function SignInMethodsTab({ userId, organizationId, mayWrite, maySendLinks }: SignInMethodsTabProps) {
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
      {mayWrite && <InvitationSection userId={userId} organizationId={organizationId} />}
    </Stack>
  )
}
