/** Accounts whose owners have signed in at the provider: the answer of a provider makes one, or an intent that succeeded. */
import type { CompletedSignIn } from '../identity-links/index.ts'
import type { SucceededState } from './decider.ts'

/** The account of a sign-in that has succeeded. */
export function completedSignIn({
  idpId,
  externalUserId,
  externalUserName,
}: Pick<SucceededState, 'idpId' | 'externalUserId' | 'externalUserName'>): CompletedSignIn {
  return { idpId, externalUserId, externalUserName } as CompletedSignIn
}
