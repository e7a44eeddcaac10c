/** How long tokens are valid: a setting of the instance. */

import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Reader } from '../../store/index.ts'
import { settings } from './documents.ts'
import { SECTIONS } from './sections.ts'
import type { OidcLifetimes } from './values.ts'

const BUILT_IN = SECTIONS.oidc.builtIn

/** How long new tokens are valid. */
export async function oidcLifetimes(app: App, reader: Reader = app.store): Promise<OidcLifetimes> {
  return (await reader.get(settings, app.instanceId))?.state.oidc ?? BUILT_IN
}

function longer({ accessTokenMs, idTokenMs }: OidcLifetimes): number {
  return Math.max(accessTokenMs, idTokenMs)
}

const PAGE_SIZE = 100

/** The longest lifetime of the access and ID tokens that were issued since a time, whatever was set in between. */
export async function longestTokenLifetime({ store, instanceId }: App, since: Instant): Promise<number> {
  let longest = 0
  const query = { kinds: [settings.name], id: instanceId, types: ['settings.oidc_set.v1'], limit: PAGE_SIZE } as const
  for (let from: number | undefined; ; ) {
    const events = await store.events({ ...query, descending: true, ...(from === undefined ? {} : { from }) })
    for (const { data, at } of events) {
      longest = Math.max(longest, longer(data as OidcLifetimes))
      // It applied when the time began; older ones did not any more.
      if (at < since) return longest
    }
    if (events.length < PAGE_SIZE) return Math.max(longest, longer(BUILT_IN))
    from = events.at(-1)?.sequence
  }
}
