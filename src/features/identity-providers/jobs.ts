/** After an identity provider, or its accounts, are gone: removes what modules keep for them, in small commits. */

import type { App, RemoveBatch } from '../../module/app.ts'
import type { JobGroup } from '../../module/module.ts'
import type { Job } from '../../store/index.ts'

export const PROVIDER_REMOVED = 'identity_provider.removed'
export const PROVIDER_ACCOUNTS_REPLACED = 'identity_provider.accounts_replaced'

const BATCH = 100

/** The jobs of this module. After a crash, a job continues where it stopped. */
export function identityProviderJobs(app: App): JobGroup {
  const removeAll = async (remove: RemoveBatch, { data, signal }: Job): Promise<void> => {
    const { providerId } = data as { readonly providerId: string }
    for (let removed = 1; removed > 0; ) {
      signal.throwIfAborted()
      removed = await remove(app, providerId, { actor: 'server', at: app.clock() }, BATCH)
    }
  }
  return {
    handlers: {
      [PROVIDER_REMOVED]: (job) => removeAll(app.lifecycle.whenProviderRemoved, job),
      [PROVIDER_ACCOUNTS_REPLACED]: (job) => removeAll(app.lifecycle.whenProviderAccountsReplaced, job),
    },
  }
}
