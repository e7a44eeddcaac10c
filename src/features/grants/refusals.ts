/** Refusals about grants and their tokens. The OpenID endpoints translate them to the errors of OAuth 2.0. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const grantRefusals = {
  'grant.not_found': ['not_found', 'The authorization does not exist.'],
  'grant.id_taken': ['conflict', 'The ID of the authorization is already taken.'],
  'grant.not_possible': ['precondition', 'The user, the sign-in or the application is no longer active.'],
  'grant.revoked': ['precondition', 'The authorization was revoked.'],
  'grant.code_used': ['precondition', 'The authorization code was already used.'],
  'grant.refresh_token_used': ['precondition', 'The refresh token was already used.'],
  'grant.refresh_token_not_found': ['not_found', 'The refresh token does not exist.'],
  'grant.scope_exceeded': ['invalid', 'The scope is wider than that of the tokens.'],
  'grant.audience_exceeded': ['invalid', 'The audience is wider than that of the tokens.'],
  'grant.derived_too_often': ['precondition', 'The token was derived from too many others.'],
  'grant.no_consent': ['not_found', 'The application has no access.'],
  'grant.not_approvable': [
    'invalid',
    'Only a client that nobody prepared can be approved, for a resource of its project.',
  ],
  'grant.scope_unknown': ['invalid', 'A scope is none of the resource.'],
} as const satisfies Catalogue

/** A code of this module. */
export type GrantRefusal = keyof typeof grantRefusals
