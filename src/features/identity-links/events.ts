/**
 * Accounts at identity providers that people sign in with. Stream: `identity-link`, one per account and person, owned by
 * the person's organization. Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'

export interface IdentityLink {
  readonly userId: string
  readonly idpId: string
  /** Id of the user at the provider. */
  readonly externalUserId: string
  /** Name of the user at the provider, to be shown. */
  readonly externalUserName: string
}

export type IdentityLinkEvent =
  | Fact<'identity_link.added.v1', IdentityLink>
  | Fact<'identity_link.removed.v1', Record<never, never>>

/** Every type of the union above, at run time; the compiler sees to it that none is missing and none too many. */
export const identityLinkEventTypes: readonly string[] = Object.keys({
  'identity_link.added.v1': true,
  'identity_link.removed.v1': true,
} satisfies Record<IdentityLinkEvent['type'], true>)
