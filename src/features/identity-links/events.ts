/**
 * Accounts at identity providers that users sign in with. Stream: `identity-link`, one for each account and user, owned
 * by the user's organization. Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

export interface IdentityLink {
  readonly userId: string
  readonly idpId: string
  /** ID of the user at the provider. */
  readonly externalUserId: string
  /** Display name of the user at the provider. */
  readonly externalUserName: string
  /** Which accounts of the provider it was made for; not given: those it began with. See `accountsVersion` there. */
  readonly accountsVersion?: number
}

export const identityLinkEvents = declareEvents({
  'identity_link.added.v1': data<IdentityLink>(),
  /** The organization of the user says that the account is theirs, and its owner has not confirmed it yet. */
  'identity_link.proposed.v1': data<IdentityLink>(),
  'identity_link.removed.v1': data(),
})

export type IdentityLinkEvent = EventOf<typeof identityLinkEvents>
