/**
 * Endings of what users have opened. Streams: `user-token-generation` (user), `organization-token-generation`
 * (organization) and `token-generation` (either; no longer written). Add to this file; never change or remove a line that
 * has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

export const generationEvents = declareEvents({
  /** What was opened before has ended: all of it, what is from before a new password, or the tokens of one project. */
  'tokens.invalidated.v1': data<
    { readonly of: 'all' | 'password' } | { readonly of: 'project'; readonly projectId: string }
  >(),
})

export type GenerationEvent = EventOf<typeof generationEvents>
