/** The kind `intent`: a sign-in through an identity provider, from the first click to the session it proves. */
import type { Place } from '../../crypto/seal.ts'
import { kind } from '../../store/index.ts'
import { intent } from './decider.ts'
import { intentRefusals } from './refusals.ts'

/** Nobody looks for an intent but by its id; only the rotation of keys asks which are still open. */
export const intents = kind({
  name: 'intent',
  version: 1,
  decider: intent,
  refusals: intentRefusals,
  fields: { expiresAt: { path: ['expiresAt'], type: 'number', indexed: false } },
})

/** Where what is sent to the provider with the code is sealed for. */
export const handshakePlace = (id: string): Place => ({ kind: intents.name, id, member: 'handshake' })

/** Where what the provider told is sealed for. */
export const identityPlace = (id: string): Place => ({ kind: intents.name, id, member: 'identity' })
