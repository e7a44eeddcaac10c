/** Hides from callers who may not know about a user why a code of that user was refused. */

import type { Call } from '../../access/call.ts'
import { type Concerned, hideReason, mayKnow } from '../../access/hidden-reasons.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { verificationRefusals } from './refusals.ts'

/** The error when a code for this user was refused: `verification.code_invalid` unless the caller may know more. */
export function hideCodeReason(app: App, call: Call, user: Concerned | undefined, error: unknown): unknown {
  const isKnown = mayKnow(call, user ?? { owner: app.instanceId })
  return hideReason(error, 'code', isKnown, () => refused(verificationRefusals, 'verification.code_invalid'))
}
