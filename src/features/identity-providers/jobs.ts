/** Removes the data of a removed identity provider in small commits. */
import type { App } from '../../access/app.ts'
import type { JobGroup } from '../../access/module.ts'
import { SYSTEM_ACTOR } from '../../kernel/actor.ts'

export const PROVIDER_REMOVED = 'identity_provider.removed'

const BATCH = 100

/** The jobs of this module. After a crash, a job continues where it stopped. */
export function identityProviderJobs(app: App): JobGroup {
  return {
    handlers: {
      async [PROVIDER_REMOVED]({ data, signal }) {
        const { providerId } = data as { readonly providerId: string }
        for (let removed = 1; removed > 0; ) {
          signal.throwIfAborted()
          const origin = { actor: SYSTEM_ACTOR, at: app.clock() }
          removed = await app.lifecycle.providerRemoved(app, providerId, origin, BATCH)
        }
      },
    },
  }
}
