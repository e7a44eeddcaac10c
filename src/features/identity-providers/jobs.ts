/** What happens after a provider was removed: what other rooms keep for it is removed too, in small commits. */
import type { Clock } from '../../kernel/instant.ts'
import type { JobHandlers, Origin } from '../../store/index.ts'

/** The kind of the jobs of this room. */
export const PROVIDER_REMOVED = 'identity_provider.removed'

/** Ends up to `limit` things that led to the provider (links, intents); answers how many there were. */
export type WhenProviderRemoved = (providerId: string, origin: Origin, limit: number) => Promise<number>

const AT_ONCE = 100

/** The jobs of this room. */
export function identityProviderJobs(whenRemoved: readonly WhenProviderRemoved[], clock: Clock): JobHandlers {
  return {
    async [PROVIDER_REMOVED]({ data, signal }) {
      const { providerId } = data as { readonly providerId: string }
      for (const sweep of whenRemoved) {
        // A sweep that finds nothing is done; run again after a crash, it goes on where it was.
        for (let found = 1; found > 0; ) {
          signal.throwIfAborted()
          found = await sweep(providerId, { actor: 'system', at: clock() }, AT_ONCE)
        }
      }
    },
  }
}
