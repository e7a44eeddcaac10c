/** Refusals about authorization requests and devices. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const authorizationRequestRefusals = {
  'authorization_request.not_found': ['not_found', 'The authorization request does not exist or has expired.'],
  'authorization_request.finished': ['precondition', 'The authorization request was already finished.'],
  'authorization_request.id_taken': ['conflict', 'The ID of the authorization request is already taken.'],
  'authorization_request.session_invalid': ['precondition', 'The session does not exist, has ended or has no user.'],
  'authorization_request.user_not_active': [
    'precondition',
    'The user is locked or deactivated, or their organization is.',
  ],
  'authorization_request.sign_in_incomplete': [
    'precondition',
    'The sign-in of the session is not complete: a factor is missing, or the password must be changed first.',
  ],
  'authorization_request.sign_in_too_old': [
    'precondition',
    'The application asked for a newer sign-in. The user must sign in again.',
  ],
  'authorization_request.acr_unmet': [
    'precondition',
    'The application requires another level of authentication. The user must sign in with other factors.',
  ],
  'authorization_request.wrong_organization': [
    'precondition',
    'The user does not belong to the organization that the application asked for.',
  ],
  'authorization_request.no_access': ['forbidden', 'The user has no access to the project of the application.'],
  'authorization_request.not_allowed': ['forbidden', 'The user has not allowed the application what it asks for.'],
  'authorization_request.resource_unknown': [
    'precondition',
    'The resource does not exist, or the application cannot ask for it.',
  ],
  'device_authorization.not_found': ['not_found', 'The device code does not exist or has expired.'],
  'device_authorization.finished': ['precondition', 'The device code was already used.'],
  'device_authorization.pending': ['precondition', 'The user has not answered yet.'],
  'device_authorization.code_taken': ['conflict', 'The user code is already taken.'],
  'backchannel_request.not_found': ['not_found', 'The request for approval does not exist.'],
  'backchannel_request.finished': ['precondition', 'The request for approval was already decided.'],
  'backchannel_request.expired': ['precondition', 'The request for approval has expired.'],
  'backchannel_request.pending': ['precondition', 'The user has not decided yet.'],
  'backchannel_request.proof_missing': [
    'precondition',
    'To approve the request, the user must show a passkey or second factor.',
  ],
  'backchannel_request.user_unknown': ['not_found', 'The user does not exist, or the application cannot ask them.'],
  'assertion.used': ['conflict', 'The assertion was already used.'],
} as const satisfies Catalogue

/** A code of this module. */
export type AuthorizationRequestRefusal = keyof typeof authorizationRequestRefusals
