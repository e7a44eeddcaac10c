/** Every refusal about sign-ins through identity providers. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const intentRefusals = {
  'intent.provider_not_found': ['not_found', 'There is no such identity provider.'],
  'intent.provider_inactive': ['precondition', 'The identity provider is not active.'],
  'intent.provider_not_offered': [
    'precondition',
    'The organization does not let its users sign in with this provider.',
  ],
  'intent.organization_inactive': ['precondition', 'The organization of the identity provider is not active.'],
  /** Not reached, too slow, not what it says it is: the log knows which. */
  'intent.provider_failed': ['precondition', 'The identity provider does not answer as it should.'],
  'intent.url_not_allowed': ['invalid', 'The browser may not be sent there.'],
  'intent.id_taken': ['conflict', 'There is such an intent already.'],
  /** Begun, failed, used up or unknown: one answer. */
  'intent.not_succeeded': ['precondition', 'The sign-in at the identity provider has not succeeded.'],
  'intent.expired': ['precondition', 'The sign-in at the identity provider was too long ago.'],
  'intent.token_wrong': ['forbidden', 'The token of the intent is wrong.'],
  'intent.other_user': ['precondition', 'The account at the identity provider is not linked to this user.'],
  /** For the browser that comes back: it is told nothing but that it did not work. */
  'intent.answer_refused': ['precondition', 'The sign-in at the identity provider failed.'],
} as const satisfies Catalogue

/** A code of this module. */
export type IntentRefusal = keyof typeof intentRefusals
