/** The kind `intent`: a sign-in through an identity provider, from the first click to the session it proves. */
import type { Place } from '../../crypto/seal.ts'
import { kind, removalKind } from '../../store/index.ts'
import { intent } from './decider.ts'
import type { IntentRetirementEvent } from './events.ts'
import { intentEvents } from './events.ts'
import { intentRefusals } from './refusals.ts'

/** Found by its id; only the rotation of keys asks which are still open, and the sweep which are over. */
export const intents = kind({
  name: 'intent',
  version: 2,
  events: intentEvents,
  decider: intent,
  refusals: intentRefusals,
  fields: { expiresAt: { path: ['expiresAt'], type: 'number' } },
  removable: true,
})

/** Says which intents have left the log. */
export const intentRetirements = removalKind<IntentRetirementEvent['type']>('intent-retirement', 'intent.retired.v1')

/** Where what is sent to the provider with the code is sealed for. */
export function handshakePlace(id: string): Place {
  return { kind: intents.name, id, member: 'handshake' }
}

/** Where what the provider told is sealed for. */
export function identityPlace(id: string): Place {
  return { kind: intents.name, id, member: 'identity' }
}
