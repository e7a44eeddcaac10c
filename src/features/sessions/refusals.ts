/** Refusals about sessions. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const sessionRefusals = {
  'session.not_found': ['not_found', 'The session does not exist.'],
  'session.id_taken': ['conflict', 'The session ID is already taken.'],
  'session.ended': ['precondition', 'The session has ended.'],
  'session.expired': ['precondition', 'The session has expired.'],
  'session.token_invalid': ['forbidden', 'The session token is invalid.'],
  /** Unknown, locked, deactivated, wrong password: the same refusal for callers who may not know which. */
  'session.sign_in_refused': ['invalid', 'The username or password is wrong, or the user cannot sign in.'],
  'session.other_user': ['invalid', 'The session belongs to another user.'],
  'session.no_user': ['precondition', 'The session has no user. Check the user first.'],
  'session.user_not_active': ['precondition', 'The user is locked or deactivated.'],
  'session.organization_inactive': ['precondition', "The user's organization is deactivated."],
  'session.password_not_allowed': ['precondition', 'The login settings do not allow sign-in with a password.'],
  'session.passkey_not_allowed': ['precondition', 'The login settings do not allow sign-in with a passkey.'],
  'session.external_not_allowed': [
    'precondition',
    'The login settings do not allow sign-in with an identity provider.',
  ],
  'session.second_factor_not_allowed': ['precondition', 'The login settings do not allow this second factor.'],
  'session.no_challenge': ['precondition', 'Request a challenge first, in a separate request.'],
  'session.challenge_used': ['precondition', 'The challenge was already answered.'],
  'session.too_many_failures': ['precondition', 'Too many checks of this session have failed. Create a new session.'],
  'session.challenge_replaced': ['aborted', 'Another challenge was requested at the same time. Try again.'],
  'session.code_not_returned': [
    'forbidden',
    'The permission session.write is required to return a code or to use a custom URL template.',
  ],
  'session.not_prolonged': ['forbidden', 'The permission session.write is required to extend a session.'],
  'session.metadata_too_large': ['invalid', 'A session can have at most 100 metadata keys.'],
} as const satisfies Catalogue

/** A code of this module. */
export type SessionRefusal = keyof typeof sessionRefusals
