/** The kind `intent`, a sign-in with an identity provider, and its retention. */
import type { Place } from '../../crypto/seal.ts'
import { kind, type Retention, removalKind } from '../../store/index.ts'
import { endingsOf } from '../generations/index.ts'
import { type Intent, intent } from './decider.ts'
import type { IntentRetirementEvent } from './events.ts'
import { intentEvents } from './events.ts'
import { intentRefusals } from './refusals.ts'

/** The claim that makes a token of a provider sign in once. It is held for longer than a token is accepted. */
const USED_TOKEN_CLAIM = 'used-provider-token'

/** Found by its ID. Only the retention searches for expired ones. */
export const intents = kind({
  name: 'intent',
  ids: 'own',
  waits: { endsWith: ['user', 'organization'] },
  path: false,
  version: 5,
  events: intentEvents,
  decider: intent,
  refusals: intentRefusals,
  fields: { expiresAt: { path: ['expiresAt'], type: 'number' } },
  claims: (state) =>
    'tokenMark' in state && state.tokenMark !== undefined
      ? [
          {
            kind: USED_TOKEN_CLAIM,
            within: { instance: 'It is a digest of what the provider signed.' },
            value: state.tokenMark,
            taken: 'intent.token_used',
          },
        ]
      : [],
  sealed(state) {
    const reseal = (before: string) => (after: string) => ({ type: 'reseal', before, after }) as const
    if (state.status === 'started') {
      const { handshake: text } = state.secret
      return [{ member: 'handshake', text, reseal: reseal(text) }]
    }
    if (state.status !== 'succeeded') return []
    const { identity: text } = state.secret
    return [{ member: 'identity', text, reseal: reseal(text) }]
  },
  removable: true,
})

/** What ends a sign-in that succeeded, before a session is proven with it. */
export const intentEndings = endingsOf(intents)

/** Records which intents were deleted from the log. */
export const intentRetirements = removalKind<IntentRetirementEvent['type']>('intent-retirement', 'intent.retired.v1')

/** The place for which the secrets of the handshake are encrypted. */
export function handshakePlace(id: string): Place {
  return { kind: intents.name, id, member: 'handshake' }
}

/** The place for which the response of the provider is encrypted. */
export function identityPlace(id: string): Place {
  return { kind: intents.name, id, member: 'identity' }
}

/** Long enough to find out from the log why a sign-in failed. */
const RETENTION_MILLISECONDS = 24 * 3_600_000

/**
 * Deletes intents one day after they expired, however they ended, and one day after their last event. So an intent that
 * never started, or was answered too late, stays as long. Personal data from providers is not kept longer than needed.
 */
export const intentRetention: Retention<Intent> = {
  kind: intents,
  records: intentRetirements,
  retentionMs: RETENTION_MILLISECONDS,
  // The responses of a provider can have a megabyte each.
  batchSize: 50,
  findEnded(store, endedBy, limit) {
    const all = [
      { field: 'expiresAt', atMost: endedBy },
      { field: 'changedAt', atMost: endedBy },
    ] as const
    return store.findIds(intents, { all }, limit)
  },
  hasEnded: ({ state, changedAt }, endedBy) =>
    state.status !== 'unknown' && state.expiresAt <= endedBy && changedAt <= endedBy,
}
