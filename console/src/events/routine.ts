/**
 * Events that nobody did: codes and tokens that follow from a sign-in while applications, above all this console, keep their
 * users signed in; and what the server keeps for itself. They are more than half of a log, and say nothing that the others do
 * not say.
 */
import type { Event } from '../../../contract/gen/signet/event/v1/event_pb.ts'
import { sentenceName } from './sentences/all.ts'

const ROUTINE: ReadonlySet<string> = new Set([
  'grant.code_issued',
  'grant.code_redeemed',
  'grant.access_token_issued',
  'grant.refresh_token_issued',
  'grant.refresh_token_used',
  'authorization_request.started',
  'authorization_request.account_chosen',
  'authorization_request.finished',
  'saml_request.started',
  'saml_request.finished',
  'saml_logout.started',
  'saml_logout.planned',
  'saml_logout.asked',
  'saml_logout.answered',
  'saml_logout.finished',
  'pushed_request.stored',
  'pushed_request.used',
  'assertion.used',
  // Kept by the server for itself.
  'node_lease.taken',
  'node_lease.renewed',
  'node_lease.released',
  'sign_in_tally.counted',
  'sign_in_address.noted',
  'registration.counted',
  'registered_client.used',
  'password.slow_hash_found',
  'attempts.cleared',
  'attempts.factor_cleared',
  // Steps on the way to what is told as one.
  'sign_in.continued',
  'session.created',
  'session.user_checked',
  'session.password_checked',
  'session.intent_checked',
  'session.web_authn_checked',
  'session.totp_checked',
  'session.otp_sms_checked',
  'session.otp_email_checked',
  'session.recovery_code_checked',
  'session.challenge_answered',
  'session.challenged',
  'session.lifetime_set',
  'session.token_renewed',
  'session.used',
  'intent.started',
  'intent.answered',
  'intent.succeeded',
  'intent.consumed',
  'passkey.used',
  'passkey_registration.started',
  'passkey_registration.finished',
  'totp.used',
  'otp.issued',
  'otp.used',
  'personal_access_token.used',
  'machine_key.used',
  'verification.added',
  'verification.issued',
  'verification.code_used',
  'verification.used',
  'inbox_mail.delivered',
  'device_authorization.started',
  'device_authorization.polled',
  'device_authorization.slowed_down',
  'device_authorization.redeemed',
])

/** What keeps the log short and its secrets sealed, of every kind. */
const KEPT_UP = /\.(?:retired|resealed|rehashed)$/

/** Whether an event is one of them. That an application got access for the first time is none, except for the console. */
export function isRoutine({ type, payload }: Event, consoleClientId: string): boolean {
  const name = sentenceName(type?.type ?? '')
  return ROUTINE.has(name) || KEPT_UP.test(name) || (name === 'grant.opened' && payload?.clientId === consoleClientId)
}
