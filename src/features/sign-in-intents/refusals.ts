/** Refusals about sign-ins through identity providers. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const intentRefusals = {
  'intent.provider_not_found': ['not_found', 'The identity provider does not exist.'],
  'intent.provider_inactive': ['precondition', 'The identity provider is not active.'],
  'intent.provider_not_offered': [
    'precondition',
    'The organization does not allow sign-in with this identity provider.',
  ],
  'intent.organization_inactive': ['precondition', "The identity provider's organization is not active."],
  /** Not reachable, too slow, or invalid: only the log tells which. */
  'intent.provider_failed': ['precondition', 'The identity provider did not respond correctly.'],
  'intent.url_not_allowed': ['invalid', 'The redirect URL is not allowed.'],
  /** Wrong name, wrong password, locked there: the same refusal. */
  'intent.credentials_wrong': ['precondition', 'The username or password is wrong.'],
  'intent.credentials_needed': ['invalid', 'Only LDAP providers take a username and password.'],
  'intent.token_used': ['conflict', 'The token of the identity provider has signed in before.'],
  'intent.too_many': ['exhausted', 'Too many sign-ins were started and not finished. Try again later.'],
  'intent.id_taken': ['conflict', 'The intent ID is already taken.'],
  /** Started, failed, used up or unknown: the same refusal. */
  'intent.not_succeeded': ['precondition', 'The sign-in with the identity provider has not succeeded.'],
  'intent.expired': ['precondition', 'The sign-in with the identity provider has expired. Start again.'],
  'intent.token_wrong': ['forbidden', 'The intent token is wrong.'],
  'intent.other_user': ['precondition', 'The external account is not linked to this user.'],
  /** For the browser that returns. It only learns that the sign-in failed. */
  'intent.answer_refused': ['precondition', 'The sign-in with the identity provider failed.'],
} as const satisfies Catalogue

/** A code of this module. */
export type IntentRefusal = keyof typeof intentRefusals
