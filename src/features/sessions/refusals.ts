/** Every refusal about sessions. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const sessionRefusals = {
  'session.not_found': ['not_found', 'There is no such session.'],
  'session.id_taken': ['conflict', 'This session id is, or was, in use.'],
  'session.ended': ['precondition', 'The session has ended.'],
  'session.expired': ['precondition', 'The session has expired.'],
  'session.token_invalid': ['forbidden', 'The session token is not the current one.'],
  /** Unknown, locked, deactivated, wrong password: one answer for callers who may not know which. */
  'session.sign_in_refused': ['invalid', 'The user name or the password is wrong, or the user cannot sign in.'],
  'session.other_user': ['invalid', 'The session is about another user.'],
  'session.no_user': ['precondition', 'The user has to be checked first.'],
  'session.user_not_active': ['precondition', 'The user is locked or deactivated.'],
  'session.organization_inactive': ['precondition', 'The organization of the user is deactivated.'],
  'session.password_not_allowed': ['precondition', 'The login settings do not allow to sign in with a password.'],
  'session.passkey_not_allowed': ['precondition', 'The login settings do not allow to sign in with a passkey.'],
  'session.external_not_allowed': [
    'precondition',
    'The login settings do not allow to sign in with an identity provider.',
  ],
  'session.second_factor_not_allowed': ['precondition', 'The login settings do not allow this second factor.'],
  'session.no_challenge': ['precondition', 'A challenge has to be asked for first, in an earlier request.'],
  'session.too_many_failures': ['precondition', 'Too many checks of this session have failed. Create another one.'],
  'session.challenge_replaced': ['aborted', 'Another challenge was asked for at the same moment. Try again.'],
  'session.code_not_returned': [
    'forbidden',
    'Only with the permission session.write can a code be returned, or be sent with a link of your own.',
  ],
  'session.not_prolonged': ['forbidden', 'Only with the permission session.write can a session be prolonged.'],
  'session.metadata_too_large': ['invalid', 'A session can have 100 keys of metadata at most.'],
} as const satisfies Catalogue

/** A code of this module. */
export type SessionRefusal = keyof typeof sessionRefusals
