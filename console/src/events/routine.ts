/**
 * Events that happen by themselves while applications, above all this console, keep their users signed in: codes and tokens
 * that follow from a sign-in. They are more than half of a log and say nothing that the sign-in does not say.
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
])

/** Whether an event is one of them. That an application got access for the first time is none, except for the console. */
export function isRoutine({ type, payload }: Event, consoleClientId: string): boolean {
  const name = sentenceName(type?.type ?? '')
  return ROUTINE.has(name) || (name === 'grant.opened' && payload?.clientId === consoleClientId)
}
